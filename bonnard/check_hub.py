"""What a Hub engine does right and wrong: one small conversation for each point of the protocol."""

import os
from collections.abc import Awaitable, Callable

import attrs
import trio

from bonnard.check_point import BrokenError, Point, Tell, shortened
from hub.client import Answer, Engine, Launch, run_engine
from hub.conversation import Search
from hub.errors import EngineCrashError, EngineError
from hub.guard import Guard
from hub.messages import Done, Level
from hub.moves import read_move
from rules.fen import parse_fen
from rules.game import Game
from rules.notation import MoveTextError

TOLERANCE = 0.2
"""Seconds that an answer may be late before it is called late."""
PATIENCE = 10.0
QUICK = 1.0
"""Seconds in which `stop`, `quit` and the like are answered."""
PLIES = 300
LINE_LIMIT = 60
TWO_WAYS = "W:WK4:B13,32,37,20"
"""Two captures with the same squares from and to, which only their captured squares tell apart."""
FINISHED = "W:W16:B7,11"
MIDDLE_GAME = "W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26"


class NotApplicableError(Exception):
    """The point does not concern this engine; the text says why."""


@attrs.frozen
class Check:
    """A point and the conversation that tries it: it returns what it saw, or raises BrokenError."""

    claim: str
    grave: bool
    try_it: Callable[[Engine], Awaitable[str]]


async def check_hub(launch: Launch, tell: Tell) -> None:
    """Try every point with the engine that `launch` starts; one that ended is started again for the next."""
    claim = 'says who it is and "wait" after "hub", and "ready" after "init"'
    with Guard() as guard:
        async with trio.open_nursery() as nursery:
            began = trio.current_time()
            try:
                engine = await nursery.start(run_engine, launch, guard)
            except EngineError as error:
                tell(Point(claim, kept=False, grave=True, note=str(error)))
                return
            seconds = trio.current_time() - began
            note = f"{engine.identity.title}, Hub {engine.version}, ready in {seconds:.2f} s"
            tell(Point(claim, kept=True, grave=True, note=note, exchange=_exchange(engine, began)))
            for check in CHECKS:
                if engine.conversation.failure:
                    await engine.close()
                    engine = await nursery.start(run_engine, launch, guard)
                tell(await _try(check, engine))
            await engine.close()


async def _try(check: Check, engine: Engine) -> Point:
    began = trio.current_time()
    kept: bool | None = True
    try:
        with trio.fail_after(LINE_LIMIT):
            await engine.stop()
            began = trio.current_time()
            note = await check.try_it(engine)
    except NotApplicableError as reason:
        kept, note = None, str(reason)
    except (BrokenError, EngineError) as error:
        kept, note = False, str(error)
    except trio.TooSlowError:
        kept, note = False, f"not done after {LINE_LIMIT} s"
    if kept is False and not engine.conversation.failure:
        await _calm(engine)
    return Point(check.claim, kept, check.grave, note, _exchange(engine, began))


async def _calm(engine: Engine) -> None:
    """Bring an engine that broke a point to rest; one that cannot be is closed, and started again later."""
    try:
        await engine.stop()
    except EngineError:
        await engine.close()


def _exchange(engine: Engine, since: float) -> tuple[str, ...]:
    marks = {"we": ">", "engine": "<"}
    lines = [f"{marks[item.sender]} {item.text}" for item in engine.transcript if item.time >= since]
    return shortened([line for line in lines if line not in ("> ping", "< pong")] or lines)


async def _ask(engine: Engine, *lines: str, seconds: float = PATIENCE) -> Done:
    """Say lines that begin a search and return the answer."""
    search = Search(Game().position)
    engine.conversation.begin_search(search)
    await engine.conversation.send(*lines)
    await engine.conversation.until(lambda: search.done is not None, seconds, '"done"')
    return search.done or Done()


def _late(answer: Answer, allowed: float) -> str:
    if answer.seconds > allowed + TOLERANCE:
        raise BrokenError(f"used {answer.seconds:.2f} s of {allowed:.2f} s")
    return f"used {answer.seconds:.2f} s of {allowed:.2f} s"


def _middle_game() -> Game:
    """Return a game in a position that is in no opening book, which would be answered at once."""
    return Game(parse_fen(MIDDLE_GAME))


async def _pings(engine: Engine) -> str:
    seconds = await engine.ping()
    return f"in {seconds * 1000:.1f} ms"


async def _move_time(engine: Engine) -> str:
    return _late(await engine.think(_middle_game(), Level(move_time=0.4), deadline=PATIENCE), 0.4)


async def _clocks(engine: Engine) -> str:
    notes = []
    for level in (Level(time=1.0, moves=1), Level(time=1.0, moves=20), Level(time=0.4, increment=0.4)):
        answer = await engine.think(_middle_game(), level, deadline=PATIENCE)
        notes.append(_late(answer, (level.time or 0) + level.increment))
    return "; ".join(notes)


async def _depth(engine: Engine) -> str:
    answer = await engine.think(_middle_game(), Level(depth=5), deadline=LINE_LIMIT / 2)
    told = "no depth" if answer.info.depth is None else f"depth {answer.info.depth}"
    return f"told {told}, answered in {answer.seconds:.2f} s"


async def _nodes(engine: Engine) -> str:
    if engine.version == 1:
        raise NotApplicableError("Hub 1 has no such level")
    answer = await engine.think(_middle_game(), Level(nodes=20_000), deadline=PATIENCE)
    if answer.seconds > PATIENCE / 2:
        raise BrokenError(f"went on for {answer.seconds:.1f} s")
    return "told no nodes" if answer.info.nodes is None else f"told {answer.info.nodes} nodes"


async def _whole_game(engine: Engine) -> str:
    game = Game()
    await engine.new_game()
    while game.outcome() is None and len(game) < PLIES:
        answer = await engine.think(game, Level(move_time=0.02), deadline=PATIENCE)
        game.push(answer.move)
    outcome = game.outcome()
    return f"{len(game)} plies, {outcome.result + ' by ' + outcome.reason if outcome else 'not finished'}"


async def _captures(engine: Engine) -> str:
    game = Game(parse_fen(TWO_WAYS))
    answer = await engine.think(game, Level(depth=5), deadline=PATIENCE)
    return answer.text


async def _moves_from_the_start(engine: Engine) -> str:
    game = Game()
    for text in ("32-28", "19-23", "28x19", "14x23", "33-28"):
        game.play(text)
    dialect = engine.conversation.dialect
    lines = [*dialect.position(game.start, game.moves), *dialect.level(Level(depth=3)), dialect.go("think")]
    done = await _ask(engine, *lines)
    try:
        return read_move(done.move or "", game.position).hub
    except MoveTextError as error:
        raise BrokenError(str(error)) from None


async def _stop(engine: Engine) -> str:
    answer = await engine.analyse(_middle_game(), Level(), deadline=0.5)
    if answer.seconds < 0.5 - TOLERANCE:
        raise BrokenError(f"answered after {answer.seconds:.2f} s without being told to stop")
    if answer.seconds > 0.5 + QUICK:
        raise BrokenError(f"took {answer.seconds - 0.5:.2f} s to stop")
    return f"{(answer.seconds - 0.5) * 1000:.0f} ms after stop"


async def _ping_in_a_search(engine: Engine) -> str:
    await engine.ponder(_middle_game(), Level(time=60))
    seconds = await engine.ping()
    return f"in {seconds * 1000:.1f} ms"


def _require_ponder(engine: Engine) -> None:
    if engine.version != 1 and "ponder" not in engine.params:
        raise NotApplicableError("it declares no parameter ponder")


async def _ponder_hit(engine: Engine) -> str:
    _require_ponder(engine)
    await engine.ponder(_middle_game(), Level(move_time=0.4))
    await trio.sleep(0.2)
    return _late(await engine.ponder_hit(deadline=PATIENCE), 0.4)


async def _ponder_miss(engine: Engine) -> str:
    _require_ponder(engine)
    await engine.ponder(_middle_game(), Level(move_time=0.4))
    await trio.sleep(0.1)
    began = trio.current_time()
    await engine.stop()
    seconds = trio.current_time() - began
    if seconds > QUICK:
        raise BrokenError(f"took {seconds:.2f} s to stop")
    await engine.think(_middle_game(), Level(depth=2), deadline=PATIENCE)
    return f"stopped in {seconds * 1000:.0f} ms"


async def _one_done(engine: Engine) -> str:
    for _ in range(3):
        await engine.think(_middle_game(), Level(depth=2), deadline=PATIENCE)
    await engine.stop()
    if engine.spare_answers:
        raise BrokenError(f"{engine.spare_answers} answers too many")
    return "three searches, three answers"


async def _variations(engine: Engine) -> str:
    answer = await engine.think(_middle_game(), Level(move_time=0.3), deadline=PATIENCE)
    if answer.info.score is None or answer.info.depth is None:
        raise BrokenError("tells no score or no depth")
    position = _middle_game().position
    for text in answer.info.pv:
        try:
            position = position.make(read_move(text, position))
        except MoveTextError as error:
            raise BrokenError(f"its variation is not legal: {error}") from None
    return f"depth {answer.info.depth}, score {answer.info.score:+.2f}, {len(answer.info.pv)} moves"


async def _finished(engine: Engine) -> str:
    dialect = engine.conversation.dialect
    lines = dialect.position(parse_fen(FINISHED), ())
    done = await _ask(engine, *lines, *dialect.level(Level(depth=2)), dialect.go("think"))
    if done.move is not None:
        raise BrokenError(f"moves {done.move}")
    return "answers without a move"


async def _unknown(engine: Engine) -> str:
    await engine.conversation.send("frobnicate now=1", engine.conversation.dialect.set_param("frobs", "3"))
    await engine.ping()
    return "still answers"


async def _bad_input(engine: Engine) -> str:
    prefix = "pos pos=" if engine.version != 1 else "pos "
    before = len(engine.complaints)
    await engine.conversation.send(f"{prefix}Wbbb")
    await engine.ping()
    if len(engine.complaints) == before:
        raise BrokenError("no error is told")
    return engine.complaints[-1]


async def _leaves(engine: Engine, how: Callable[[], Awaitable[None]]) -> str:
    began = trio.current_time()
    await how()
    with trio.move_on_after(2 * QUICK):
        error = await engine.wait_failed()
        if isinstance(error, EngineCrashError) and error.exit_code == 0:
            return f"after {trio.current_time() - began:.2f} s"
        raise BrokenError(str(error))
    await engine.close()
    raise BrokenError(f"still there after {2 * QUICK:g} s")


async def _quits(engine: Engine) -> str:
    return await _leaves(engine, lambda: engine.conversation.send("quit"))


async def _ends_with_its_input(engine: Engine) -> str:
    return await _leaves(engine, engine.conversation.end_input)


async def _leaves_nobody(engine: Engine) -> str:
    await engine.conversation.send("quit")
    with trio.move_on_after(2 * QUICK):
        await engine.conversation.process.wait()
    try:
        os.killpg(engine.process_id, 0)
    except ProcessLookupError:
        return "nothing of its group is left"
    raise BrokenError("a process of its group lives on")


CHECKS = (
    Check("answers ping", grave=False, try_it=_pings),
    Check("keeps to a fixed time a move", grave=True, try_it=_move_time),
    Check("keeps to its clock, with a number of moves and with an increment", grave=True, try_it=_clocks),
    Check("ends a search at a depth", grave=False, try_it=_depth),
    Check("ends a search at a number of nodes", grave=False, try_it=_nodes),
    Check("plays legal moves, in a whole game with itself", grave=True, try_it=_whole_game),
    Check("names the captured squares of its move", grave=True, try_it=_captures),
    Check("takes a position together with all moves since", grave=True, try_it=_moves_from_the_start),
    Check("answers each go once", grave=True, try_it=_one_done),
    Check("analyses until it is stopped, and then answers at once", grave=True, try_it=_stop),
    Check("answers ping while it searches", grave=False, try_it=_ping_in_a_search),
    Check("moves in its time after a ponder hit", grave=True, try_it=_ponder_hit),
    Check("stops pondering at once, and goes on with another search", grave=True, try_it=_ponder_miss),
    Check("tells depth, score and a legal variation", grave=False, try_it=_variations),
    Check("answers in a finished position, without a move", grave=False, try_it=_finished),
    Check("ignores commands and parameters that it does not know", grave=False, try_it=_unknown),
    Check("tells an error for a bad position, and lives", grave=False, try_it=_bad_input),
    Check("leaves after quit", grave=False, try_it=_quits),
    Check("leaves at the end of its input", grave=False, try_it=_ends_with_its_input),
    Check("leaves no process behind", grave=False, try_it=_leaves_nobody),
)
