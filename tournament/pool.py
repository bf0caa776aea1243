"""The running programs of a match: taken for a game, given back after it, started again when they failed."""

from collections.abc import Callable

import trio
from attrs import define, field, frozen

from tournament.events import Observer, Told
from tournament.player import Fault, Player
from tournament.settings import Entrant
from tournament.spec import PlayerSpec

#: Seconds between two attempts to start or reach a program.
RETRY = 0.5

CreatePlayer = Callable[[Entrant, PlayerSpec], Player]


class PlayerUnavailableError(Exception):
    """A program could not be started or reached for as long as the match waits for one."""


@frozen
class Seat:
    """A program that is in a game or may be."""

    entrant: Entrant
    address: PlayerSpec
    player: Player


@define
class Pool:
    """Programs by player. A DXP player has as many as addresses, the others as many as are asked for at once.

    At most `idle` programs wait for their next game; the one that has waited longest is ended first.
    """

    create: CreatePlayer
    idle: int
    wait: float
    """Seconds to wait for a program to start."""
    observer: Observer
    _waiting: list[Seat] = field(factory=list)
    _addresses: dict[str, list[PlayerSpec]] = field(factory=dict)
    _started: set[str] = field(factory=set)

    async def take(self, entrant: Entrant) -> Seat:
        """Return a program of a player, open and ready; PlayerUnavailableError if it does not start in time.

        A DXP player must have an address that is not taken.
        """
        for seat in self._waiting:
            if seat.entrant is entrant:
                self._waiting.remove(seat)
                self._claim(seat)
                return seat
        address = self._free(entrant)[0] if entrant.slots is not None else entrant.addresses[0]
        seat = Seat(entrant, address, self.create(entrant, address))
        self._claim(seat)
        try:
            await self._open(seat)
        except BaseException:
            await self.let_go(seat)
            raise
        return seat

    async def give_back(self, seat: Seat, *, usable: bool) -> None:
        """Keep a program for its next game, or end it when it is not `usable`."""
        if not usable:
            self.observer(Told("restart", seat.entrant.name, ""))
            await self.let_go(seat)
            return
        self._release(seat)
        self._waiting.append(seat)
        while len(self._waiting) > self.idle:
            await self._waiting.pop(0).player.close()

    async def close(self) -> None:
        """End all waiting programs."""
        while self._waiting:
            await self._waiting.pop().player.close()

    def _free(self, entrant: Entrant) -> list[PlayerSpec]:
        return self._addresses.setdefault(entrant.name, list(entrant.addresses))

    def _claim(self, seat: Seat) -> None:
        if seat.entrant.slots is not None:
            self._free(seat.entrant).remove(seat.address)

    def _release(self, seat: Seat) -> None:
        if seat.entrant.slots is not None:
            self._free(seat.entrant).append(seat.address)

    async def let_go(self, seat: Seat) -> None:
        """End a program, whatever it is doing; not cancelled."""
        try:
            with trio.CancelScope(shield=True):
                await seat.player.close()
        finally:
            self._release(seat)

    async def _open(self, seat: Seat) -> None:
        """Start a program; one that has run before in this match is waited for.

        Of a new one only its address is waited for: a command that fails at once will fail again.
        """
        name = seat.entrant.name
        began = trio.current_time()
        while True:
            fault = await seat.player.open()
            if fault is None:
                self._started.add(name)
                return
            self._give_up(name, fault, waited=trio.current_time() - began)
            self.observer(Told("waiting", name, fault.detail))
            await trio.sleep(RETRY)

    def _give_up(self, name: str, fault: Fault, *, waited: float) -> None:
        patient = fault.kind == "disconnect" or name in self._started
        if not patient or waited > self.wait:
            raise PlayerUnavailableError(f"{name} does not start: {fault.detail}")
