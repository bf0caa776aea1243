"""Our engine on stdin and stdout, as a Hub 2 engine: `bonnard hub`.

Blocking and without Trio, so that it starts as fast as a C++ engine: the main thread reads, another one
searches. A command that comes during a search is answered at once if it is `ping`, `stop` or `ponder-hit`;
any other one ends the search, and its answer is sent first.
"""

import contextlib
import os
import sys
from collections.abc import Callable

import attrs

from engine import bitbase_file
from engine.assets import LEARNED, AssetError, load_evaluation
from engine.limits import Limits
from engine.searcher import Info, Result, Search, Searcher, SearchFaultError, describe_fault
from engine.slices import SHORT, ask_for_slices
from hub.codec import Command, format_line, parse_line
from hub.dialect import format_real, read_real
from hub.dialect2 import read_level
from hub.lines import LineSplitter
from hub.messages import MODES, Level, Mode
from hub.moves import read_move
from hub.options import PARAMS, OptionError, Options, declaration
from hub.output import PacedOutput
from rules.fen import FenError, parse_hub
from rules.game import Game
from rules.notation import MoveTextError
from rules.position import Position

CHUNK = 1 << 16
AUTHOR = "The Bonnard authors"
LEVEL_NUMBERS = ("depth", "nodes", "move-time", "time", "moves", "inc")
LONGEST_COMPLAINT = 200
"""Characters: who sends us 200,000 need not get them back."""
FAILED = 1
WRONG_USE = 2
INTERRUPTED = 130


class Front:
    """The engine's side of the conversation. `handle` takes lines, `write` gets lines, from any thread."""

    def __init__(
        self,
        write: Callable[[str], None],
        version: str,
        on_fault: Callable[[Exception], None] = lambda _: None,
    ) -> None:
        """Start before `hub`: the start position, no engine yet. `version` is the program's.

        `on_fault` is called, in the search thread, when a search has failed and its answer is written.
        """
        self._write = write
        self._version = version
        self._on_fault = on_fault
        self._options = Options()
        self._searcher: Searcher | None = None
        self._built_for: tuple[int, int] | None = None
        self._bitbase_pieces = 0
        self._evaluation = LEARNED
        self._game = Game()
        self._level = Level()
        self._search: Search | None = None
        self._actions: dict[str, Callable[[Command], None]] = {
            "set-param": self._set_param,
            "init": self._init,
            "new-game": self._new_game,
            "pos": self._set_position,
            "level": self._set_level,
            "go": self._go,
        }

    def handle(self, line: str) -> bool:
        """Do what a line asks for; False when it asks to quit. Unknown commands are ignored."""
        command = parse_line(line)
        match command.name:
            case "ping":
                self._write("pong")
            case "stop":
                if self._search:
                    self._search.stop()
            case "ponder-hit":
                if self._search:
                    self._search.ponder_hit()
            case "hub":
                self._introduce()
            case "quit":
                self.finish()
                return False
            case name if action := self._actions.get(name):
                self.finish()
                action(command)
        return True

    def finish(self) -> None:
        """End the running search, if any; its answer has been written when this returns."""
        if self._search:
            self._search.stop()
            with contextlib.suppress(SearchFaultError):  # told with the answer
                self._search.result()
        self._search = None

    def _introduce(self) -> None:
        self._write(format_line("id", {"name": "Bonnard", "version": self._version, "author": AUTHOR}))
        for param in PARAMS:
            self._write(format_line("param", declaration(param, self._options.values)))
        self._write("wait")

    def _set_param(self, command: Command) -> None:
        try:
            self._options.set(command.get("name"), command.get("value"))
        except OptionError as error:
            self._complain(str(error))

    def _init(self, _: Command) -> None:
        self._engine()
        self._write("ready")

    def _new_game(self, _: Command) -> None:
        if self._searcher:
            self._searcher.new_game()

    def _set_position(self, command: Command) -> None:
        self._level = Level()
        text = command.get("pos")
        try:
            game = Game(parse_hub(text) if text else Position.start())
        except FenError as error:
            self._complain(f"bad position: {error}")
            return
        try:
            for move in command.get("moves").split():
                game.push(read_move(move, game.position))
        except MoveTextError as error:
            self._complain(f"illegal move: {error}")
        self._game = game

    def _set_level(self, command: Command) -> None:
        for name in LEVEL_NUMBERS:
            if command.has(name) and read_real(command.get(name)) is None:
                self._complain(f"level: {name} is no number")
        told = read_level(command)
        if command.has("infinite"):
            self._level = Level()
        else:
            changes = attrs.asdict(told, filter=lambda field, value: value != field.default)
            self._level = attrs.evolve(self._level, **changes)

    def _go(self, command: Command) -> None:
        mode: Mode = next((mode for mode in MODES if command.has(mode)), "think")
        level, self._level = self._level, Level()
        if not self._game.legal_moves():
            self._write("done")
            return
        # The thread that searched answers: to wake another one for it takes time while all cores are busy.
        self._search = self._engine().start(self._game, self._limits(level, mode), self._tell, self._answer)

    def _limits(self, level: Level, mode: Mode) -> Limits:
        limited = level != Level()
        return Limits(
            depth=None if level.depth is None else max(1, level.depth),
            nodes=None if level.nodes is None else max(1, level.nodes),
            move_time=level.move_time,
            clock=level.time,
            increment=level.increment,
            moves_left=level.moves,
            overhead=self._options.overhead,
            ponder=mode == "ponder",
            endless=mode == "analyze" and not limited,
            lines=self._options.lines if mode == "analyze" else 1,
        )

    def _engine(self) -> Searcher:
        """Return the engine for the options in force.

        A table that memory cannot hold is halved until it can.
        """
        wanted = (self._options.threads, self._options.table_megabytes)
        if self._searcher is None or self._built_for != wanted:
            self._searcher = None  # its memory first
            threads, megabytes = wanted
            while self._searcher is None:
                try:
                    self._searcher = Searcher(threads, megabytes)
                except MemoryError:
                    self._complain(f"a transposition table of {megabytes} MB does not fit into memory")
                    if megabytes == 1:
                        raise
                    megabytes //= 2
            self._built_for = wanted
        self._use_evaluation(self._searcher)
        self._use_bitbases()
        return self._searcher

    def _use_evaluation(self, searcher: Searcher) -> None:
        wanted = self._options.evaluation
        if self._evaluation != wanted:
            load_evaluation(wanted)
            searcher.new_game()  # the scores in its table are of the other one
            self._evaluation = wanted

    def _use_bitbases(self) -> None:
        before, wanted = self._bitbase_pieces, self._options.bitbase_pieces
        if before == wanted:
            return
        self._bitbase_pieces = wanted
        try:
            if wanted < before:
                bitbase_file.unload()
            if wanted:
                bitbase_file.load(
                    bitbase_file.built_directory() if wanted > bitbase_file.SHIPPED_PIECES else None
                )
        except (AssetError, bitbase_file.BitbaseError) as error:
            self._complain(f"no bitbases: {error}")

    def _tell(self, info: Info) -> None:
        arguments = {"depth": str(info.depth)}
        if info.mean_depth:
            arguments["mean-depth"] = f"{info.mean_depth:.1f}"
        arguments |= {"score": f"{info.score:.2f}", "nodes": str(info.nodes)}
        if info.time:
            arguments |= {"time": format_real(info.time), "nps": f"{info.speed / 1e6:.1f}"}
        if info.line > 1:
            arguments["line"] = str(info.line)
        if info.variation:
            arguments["pv"] = " ".join(move.hub for move in info.variation)
        self._write(format_line("info", arguments))

    def _answer(self, result: Result) -> None:
        if result.fault:
            self.tell_fault(result.fault)
        moves = {"move": result.move, "ponder": result.ponder}
        self._write(format_line("done", {name: move.hub for name, move in moves.items() if move}))
        if result.fault:
            self._on_fault(result.fault)

    def tell_fault(self, fault: Exception) -> None:
        """Tell the program that drives us what went wrong with us."""
        self._complain(f"the engine failed: {describe_fault(fault)}")

    def _complain(self, message: str) -> None:
        shown = message if len(message) <= LONGEST_COMPLAINT else f"{message[:LONGEST_COMPLAINT]}..."
        self._write(format_line("error", {"message": shown}))


def main(arguments: list[str], version: str) -> int:
    """Serve until `quit` or the end of input; `arguments` are those after `bonnard hub`.

    `version` is the program's, to be told. Return the exit code.
    """
    if arguments:
        sys.stderr.write(
            f"bonnard hub takes no arguments, not {arguments[0]!r}: parameters come by set-param\n"
        )
        return WRONG_USE
    # Reading is waiting, and what it waits for is urgent: search threads on all processors must give way.
    ask_for_slices(SHORT)
    front = Front(PacedOutput(sys.stdout.fileno()).write, version, _give_up)
    splitter = LineSplitter()
    try:
        while data := os.read(sys.stdin.fileno(), CHUNK):
            for line in splitter.feed(data):
                if not front.handle(line.decode(errors="replace")):
                    return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as fault:  # noqa: BLE001 - in words, before the end
        front.tell_fault(fault)
        _give_up(fault)
    finally:
        front.finish()
    return 0


def _give_up(fault: Exception) -> None:
    """End the process: whoever drives us notices, and starts us again, rather than play on with a fault."""
    sys.excepthook(type(fault), fault, fault.__traceback__)
    sys.stderr.flush()
    os._exit(FAILED)
