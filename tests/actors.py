"""A player of the referee's interface that follows a script, for tests of the referee."""

from collections.abc import Callable, Iterable
from typing import Any

import attrs
import trio

from rules.game import Game, Outcome
from rules.notation import parse_move
from tournament.player import Answer, Clocks, Fault, Notice, Played, Player, Setup

Step = str | Answer | Callable[[Game], Answer]


@attrs.define(eq=False)
class Actor(Player):
    """Answers each question with the next step: a move as text, an answer, or a function of the game.

    Every answer comes after `delay` seconds. What is put into `notices` is said while the other side is on
    move, after its seconds. When the steps are used up the first legal move is played.
    """

    name: str = "Actor"
    steps: Iterable[Step] = ()
    delay: float = 0.0
    notices: list[tuple[float, Notice]] = attrs.field(factory=list)
    remote: bool = False
    restartable: bool = False
    external_time: bool = False
    accepts_refusal: bool = False
    begin_fault: Fault | None = None
    heard: list[Any] = attrs.field(factory=list)
    clocks: list[Clocks] = attrs.field(factory=list)

    def __attrs_post_init__(self) -> None:
        """Begin at the first step."""
        self._steps = iter(self.steps)

    async def open(self) -> Fault | None:
        """Note it."""
        self.heard.append("open")
        return None

    async def begin(self, setup: Setup) -> Fault | None:
        """Note it."""
        self.heard.append(("begin", setup.colour.name))
        return self.begin_fault

    async def move(self, game: Game, clocks: Clocks) -> Answer:
        """Take the next step."""
        self.clocks.append(clocks)
        await trio.sleep(self.delay)
        step = next(self._steps, None)
        if step is None:
            return Played(game.legal_moves()[0], self.delay)
        if isinstance(step, str):
            return Played(parse_move(step, game.position), self.delay, step)
        return step(game) if callable(step) else step

    async def watch(self) -> Notice:
        """Say the next notice, or nothing."""
        if not self.notices:
            await trio.sleep_forever()
        seconds, notice = self.notices[0]
        await trio.sleep(seconds)
        self.notices.pop(0)
        return notice

    async def answer_take_back(self, *, granted: bool) -> None:
        """Note it."""
        self.heard.append(("take back", granted))

    async def refuse(self, answer: Played) -> bool:
        """Note it."""
        self.heard.append(("refused", answer.text))
        return self.accepts_refusal

    async def finish(self, game: Game, outcome: Outcome, *, last: bool = False) -> Fault | None:
        """Note it."""
        self.heard.append(("finish", len(game.moves), outcome.reason.value, last))
        return None

    async def close(self) -> None:
        """Note it."""
        self.heard.append("close")


def scored(text: str, score: float, seconds: float = 0.0) -> Callable[[Game], Answer]:
    """Return a step: a move with a score."""
    return lambda game: Played(parse_move(text, game.position), seconds, text, score=score, depth=9)


def first_move(score: float) -> Callable[[Game], Answer]:
    """Return a step: the first legal move, with a score."""
    return lambda game: Played(game.legal_moves()[0], 0.0, score=score)
