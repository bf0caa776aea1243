"""`bonnard health`: whether a server answers."""

from pathlib import Path

import trio

from bonnard.errors import FailedError
from bonnard.settings import read_settings

PATIENCE = 5.0
"""Seconds for the connection and for the answer."""

PROBE = b"R00health check                   W001001A\0"
"""A game request of a version that does not exist: a follower refuses it and nothing has begun."""

WILDCARDS = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 - what is listened on, not by us


def health(*, host: str | None = None, port: int | None = None, config: Path | None = None) -> None:
    """Exit with 0 if a server answers, else with 1.

    Parameters
    ----------
    host
        Where the server listens (127.0.0.1).
    port
        Its port (27531).
    config
        File with the settings of the server.

    """
    settings = read_settings(config, {"serve.host": host, "serve.port": port})
    address = WILDCARDS.get(settings.serve.host, settings.serve.host)
    trio.run(_ask, address, settings.serve.port)


async def _ask(host: str, port: int) -> None:
    """Connect and wait for a message: a follower's refusal, or an initiator's request."""
    where = f"{host}:{port}"
    try:
        with trio.fail_after(PATIENCE):
            async with await trio.open_tcp_stream(host, port) as stream:
                await stream.send_all(PROBE)
                answer = await stream.receive_some(1)
    except trio.TooSlowError:
        raise FailedError(f"{where} does not answer within {PATIENCE:.0f} s") from None
    except UnicodeError:  # names are encoded before they are looked up
        raise FailedError(f"{where}: this is no host name") from None
    except (OSError, trio.BrokenResourceError) as error:
        raise FailedError(f"{where} does not answer: {error}") from None
    if answer not in {b"A", b"R"}:
        raise FailedError(f"{where} answers, but not as a DXP server does")
    print(f"a server answers at {where}")
