"""Games that the engine plays against itself at a few hundred nodes a move: no object is made in one.

A game starts with random moves, until a position is found that the search calls even. It ends by the rules,
and early where the rest teaches nothing: by the bitbases that are loaded, by a score of four men for six
plies (a win), with kings against kings and at most three pieces a side (a draw). Everything follows from
the seed of the game.

Positions of games are what sensible moves lead to; the search mostly looks at what others lead to. So from
each position of a game another one is made by one to three random moves, searched and noted as well: a
stray, without a result. (Weights fitted to positions of games alone predict those better, and lost 230 Elo
by what they got wrong elsewhere: docs/training.md.)
"""

import cython
from cython.cimports.engine.bitbase import BITBASE_DRAW, BITBASE_UNKNOWN, BITBASE_WIN, probe
from cython.cimports.engine.evaluate import table_of, use_table
from cython.cimports.engine.path import Node, begin, follow, repeated
from cython.cimports.engine.search import iterate
from cython.cimports.engine.tree import Memory, Tree
from cython.cimports.engine.worker import HISTORY_NODES, LEAST_WIN, MOST_DEPTH, Worker
from cython.cimports.libc.stdint import int8_t, int16_t, uint8_t, uint32_t, uint64_t
from cython.cimports.libc.string import memcpy, memmove
from cython.cimports.rules.bitboard import popcount
from cython.cimports.rules.board import WHITE_TURN, Board, Step, make
from cython.cimports.rules.movegen import MoveList, can_capture, can_move, generate

WON_SCORE = cython.declare(cython.int, 400)
WON_PLIES = cython.declare(cython.int, 6)
MOST_GAME_PLIES = cython.declare(cython.int, 300)
FEW = cython.declare(cython.int, 3)
GOES_ON = cython.declare(cython.int, -1)
NO_SCORE = cython.declare(cython.int, 32000)
# At most a position of the game and a stray for each ply.
ROOM_FOR_A_GAME = cython.declare(cython.int, 640)
NO_RESULT = cython.declare(cython.int, -1)
MOST_STRAY_PLIES = cython.declare(cython.int, 3)
START_WHITE = cython.declare(uint64_t, 0x7DF3EF8000000000)
START_BLACK = cython.declare(uint64_t, 0xFBE7DF)
GOLDEN = cython.declare(uint64_t, 0x9E3779B97F4A7C15)
FIRST_MIX = cython.declare(uint64_t, 0xBF58476D1CE4E5B9)
SECOND_MIX = cython.declare(uint64_t, 0x94D049BB133111EB)

RECORD_SIZE = cython.sizeof(Record)
"""Bytes of a recorded position."""


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _next(state: cython.pointer(uint64_t)) -> uint64_t:
    """Return the next number of a splitmix64 generator."""
    mixed: uint64_t
    state[0] += GOLDEN
    mixed = state[0]
    mixed = (mixed ^ (mixed >> 30)) * FIRST_MIX
    mixed = (mixed ^ (mixed >> 27)) * SECOND_MIX
    return mixed ^ (mixed >> 31)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _advance(worker: cython.pointer(Worker), before: Board, step: Step, after: Board) -> cython.void:
    """Make a move part of the history that the worker's search sees."""
    follow(worker.path, before, step, after)
    memmove(
        cython.address(worker.nodes_of_game[0]),
        cython.address(worker.nodes_of_game[1]),
        (HISTORY_NODES + 1) * cython.sizeof(worker.nodes_of_game[0]),
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _over(board: Board, node: cython.pointer(Node)) -> cython.int:
    """Return white's points of two when the game is over or its result is known, else GOES_ON."""
    value: cython.int
    if not can_move(board):
        return 0 if board.turn == WHITE_TURN else 2
    if node.remaining <= 0 or repeated(node):
        return 1
    value = probe(board)
    if value == BITBASE_DRAW:
        return 1
    if value != BITBASE_UNKNOWN:
        return 2 if (value == BITBASE_WIN) == (board.turn == WHITE_TURN) else 0
    if (
        board.white_kings != 0
        and board.black_kings != 0
        and popcount(board.white_men | board.white_kings) <= FEW
        and popcount(board.black_men | board.black_kings) <= FEW
    ):
        return 1
    return GOES_ON


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def _winning(score: cython.int, plies: cython.int) -> cython.int:
    """Return for how many plies white's score has been won (negative: lost), `plies` the number so far."""
    if score >= LEAST_WIN:
        return WON_PLIES
    if score <= -LEAST_WIN:
        return -WON_PLIES
    if score > WON_SCORE:
        return plies + 1 if plies > 0 else 1
    if score < -WON_SCORE:
        return plies - 1 if plies < 0 else -1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _note(into: cython.pointer(Record), board: Board, score: cython.int, game: uint32_t) -> cython.void:
    """Write a position down; its result comes at the end of the game."""
    into.white = board.white_men | board.white_kings
    into.black = board.black_men | board.black_kings
    into.kings = board.white_kings | board.black_kings
    into.score = cython.cast(int16_t, score)
    into.result = 1
    into.turn = cython.cast(uint8_t, board.turn)
    into.game = game


@cython.cclass
class Arena:
    """Two players with a table of weights each, and the games between them."""

    def __init__(
        self,
        first: object,
        second: object,
        nodes: cython.int,
        least_plies: cython.int = 4,
        most_plies: cython.int = 12,
        opening_limit: cython.int = 60,
    ) -> None:
        """Seat two players, who think `nodes` nodes a move.

        `first` and `second` are buffers with tables of weights; the same object is one player for both sides.
        Openings have between `least_plies` and `most_plies` random plies, and a score within `opening_limit`
        (1/100 man).
        """
        alone: cython.bint = second is first
        self.first_memory = Memory(1)
        self.second_memory = self.first_memory if alone else Memory(1)
        self.first_tree = Tree(self.first_memory)
        self.second_tree = self.first_tree if alone else Tree(self.second_memory)
        self.worker[0] = self.first_tree.worker
        self.worker[1] = self.second_tree.worker
        self.table[0] = table_of(first)
        self.table[1] = table_of(second)
        self.tables = (first, second)
        self.settings.nodes = nodes
        self.settings.least_plies = least_plies
        self.settings.most_plies = most_plies
        self.settings.opening_limit = opening_limit

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _think(self, player: cython.int, board: Board) -> cython.int:
        """Search and return the score, NO_SCORE for an only move; the best move is left in `worker.moves[0]`.

        There must be a move.
        """
        worker: cython.pointer(Worker) = self.worker[player]
        found: MoveList
        depth: cython.int
        score: cython.int = 0
        generate(board, cython.address(found))
        worker.root = board
        worker.root_count = found.count
        worker.lines = 1
        memcpy(worker.moves, found.moves, found.count * cython.sizeof(Step))
        if found.count == 1:
            return NO_SCORE
        worker.line[0].score = 0
        worker.line[0].depth = 0
        worker.line[0].length = 0
        worker.nodes = 0
        worker.next_poll = 0
        worker.failing = False
        worker.node_limit = self.settings.nodes
        worker.shared.stop = 0
        worker.shared.table.age = (worker.shared.table.age + 1) & 63
        use_table(self.table[player])
        for depth in range(1, MOST_DEPTH):
            if not iterate(worker, depth):
                break
            score = worker.line[0].score
            if score >= LEAST_WIN or score <= -LEAST_WIN:
                break
        return score

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _move_at_random(self, board: cython.pointer(Board)) -> cython.bint:
        """Make one of the legal moves; return False, and leave the board as it is, if there is none."""
        found: MoveList
        generate(board[0], cython.address(found))
        if found.count == 0:
            return False
        board[0] = make(
            board[0],
            found.moves[cython.cast(cython.int, _next(cython.address(self.random)) % found.count)],
        )
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _opening(self) -> Board:
        """Return an even position after some random plies from the start position."""
        board: Board
        found: MoveList
        plies: cython.int
        score: cython.int
        while True:
            board.white_men = START_WHITE
            board.black_men = START_BLACK
            board.white_kings = 0
            board.black_kings = 0
            board.turn = WHITE_TURN
            plies = self.settings.least_plies
            plies += cython.cast(
                cython.int, _next(cython.address(self.random)) % (self.settings.most_plies - plies + 1)
            )
            for _ in range(plies):
                if not self._move_at_random(cython.address(board)):
                    break
            generate(board, cython.address(found))
            if found.count == 0:
                continue
            begin(self.worker[0].path, board)
            score = self._think(0, board)
            if -self.settings.opening_limit <= score <= self.settings.opening_limit:
                return board

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _play(
        self,
        board: Board,
        white: cython.int,
        game: uint32_t,
        records: cython.pointer(Record),
        room: cython.int,
        count: cython.p_int,
    ) -> cython.int:
        """Play a game in which player `white` has white; return white's points, note quiet positions."""
        step: Step
        after: Board
        player: cython.int
        score: cython.int
        result: cython.int
        winning: cython.int = 0
        first: cython.int = count[0]
        for player in range(2):
            begin(self.worker[player].path, board)
        for _ in range(MOST_GAME_PLIES):
            player = white if board.turn == WHITE_TURN else 1 - white
            result = _over(board, self.worker[player].path)
            if result != GOES_ON:
                break
            score = self._think(player, board)
            step = self.worker[player].moves[0]
            if score != NO_SCORE:
                if board.turn != WHITE_TURN:
                    score = -score
                winning = _winning(score, winning)
                if winning >= WON_PLIES or winning <= -WON_PLIES:
                    result = 2 if winning > 0 else 0
                    break
                if room:
                    if not can_capture(board):
                        _note(records + count[0], board, score, game)
                        count[0] += 1
                    self._stray(board, player, records, count, game)
            after = make(board, step)
            _advance(self.worker[0], board, step, after)
            if self.worker[1] != self.worker[0]:
                _advance(self.worker[1], board, step, after)
            board = after
        if result == GOES_ON:
            result = 1
        while first < count[0]:
            if records[first].result != NO_RESULT:
                records[first].result = cython.cast(int8_t, result)
            first += 1
        return result

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _stray(
        self,
        board: Board,
        player: cython.int,
        records: cython.pointer(Record),
        count: cython.p_int,
        game: uint32_t,
    ) -> cython.void:
        """Note a position that random moves lead to from a position of the game, with its score."""
        worker: cython.pointer(Worker) = self.worker[player]
        score: cython.int
        plies: cython.int = 1 + cython.cast(cython.int, _next(cython.address(self.random)) % MOST_STRAY_PLIES)
        while plies > 0 or can_capture(board):
            if not self._move_at_random(cython.address(board)):
                return
            plies -= 1
        if not can_move(board) or probe(board) != BITBASE_UNKNOWN:
            return
        memcpy(
            cython.address(self.kept[0]),
            cython.address(worker.nodes_of_game[0]),
            cython.sizeof(worker.nodes_of_game),
        )
        begin(worker.path, board)
        score = self._think(player, board)
        memcpy(
            cython.address(worker.nodes_of_game[0]),
            cython.address(self.kept[0]),
            cython.sizeof(worker.nodes_of_game),
        )
        if score == NO_SCORE:
            return
        _note(records + count[0], board, score if board.turn == WHITE_TURN else -score, game)
        records[count[0]].result = NO_RESULT
        count[0] += 1

    def play(self, seed: uint64_t, first: uint32_t, games: cython.int, buffer: object) -> tuple:
        """Play games `first` and on of the series `seed`; return how many, and the bytes of `buffer` used.

        Ends after `games` games, or when the buffer may have no room for another.
        """
        bytes_of: cython.uchar[::1] = memoryview(buffer).cast("B")
        records: cython.pointer(Record) = cython.cast(cython.pointer(Record), cython.address(bytes_of[0]))
        room: cython.int = cython.cast(cython.int, bytes_of.shape[0] // cython.sizeof(Record))
        count: cython.int = 0
        done: cython.int = 0
        nodes: cython.int = self.settings.nodes
        while done < games and room - count >= ROOM_FOR_A_GAME:
            self._seed(seed, first + done)
            # Three quarters to five quarters of the nodes: two games from one opening become two games.
            self.settings.nodes = nodes - nodes // 4
            self.settings.nodes += cython.cast(
                cython.int, _next(cython.address(self.random)) % (nodes // 2 + 1)
            )
            with cython.nogil:
                self._play(self._opening(), 0, first + done, records, room, cython.address(count))
            done += 1
        self.settings.nodes = nodes
        return done, count * cython.sizeof(Record)

    def duel(self, seed: uint64_t, first: uint32_t, pairs: cython.int) -> list:
        """Play pairs of games, an opening, both colours; return the first player's points of four each."""
        board: Board
        points: cython.int
        pair: cython.int
        none: cython.int = 0
        results: list = []
        for pair in range(pairs):
            self._seed(seed, first + pair)
            with cython.nogil:
                board = self._opening()
            self._forget()
            with cython.nogil:
                points = self._play(board, 0, 0, cython.NULL, 0, cython.address(none))
            self._forget()
            with cython.nogil:
                points += 2 - self._play(board, 1, 0, cython.NULL, 0, cython.address(none))
            results.append(points)
        return results

    def _seed(self, seed: uint64_t, game: uint32_t) -> None:
        """Make all that follows depend on the series and the number of the game alone."""
        self.random = seed * SECOND_MIX + cython.cast(uint64_t, game) * FIRST_MIX
        # Twice mixed: neighbouring games must not walk the same sequence of numbers, one step apart.
        self.random = _next(cython.address(self.random))
        self.random = _next(cython.address(self.random))
        self._forget()

    def _forget(self) -> None:
        """Make the players forget earlier games."""
        self.first_memory.clear()
        self.second_memory.clear()
        self.first_tree.forget()
        self.second_tree.forget()
