"""The files the engine ships with: packed, unpacked once into the cache, mapped by every process.

A packed file is a line of JSON (what it is, the hash of the unpacked data, where it comes from) and
xz-compressed data. The unpacked file is named after that hash and checked against it when it was written to
since the last check: a damaged one is made again. It is written under a temporary name and renamed, so that a
reader never sees half of it. Where the cache cannot be written the data stays in memory.

Every engine of a match goes through here at its start. What only the first one needs, hashing and unpacking,
is imported when it is needed.
"""

import contextlib
import json
import mmap
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs

from engine.evaluate import TABLE_SIZE, use_weights
from engine.weights import PARTS_SIZE, fold, untaught

LEARNED, HAND_MADE = "learned", "hand-made"
"""The evaluations that there are to choose from."""

WEIGHTS = Path(__file__).with_name("weights.bin")
"""The packed weights that are shipped."""


class AssetError(Exception):
    """A shipped file is missing or damaged; the message names it."""


@attrs.frozen
class Packed:
    """A packed file: what its first line says, and its data, still compressed."""

    path: Path
    header: dict[str, Any]
    data: bytes

    @classmethod
    def read(cls, path: Path) -> "Packed":
        """Read a packed file; AssetError if it is not one."""
        try:
            line, _, data = path.read_bytes().partition(b"\n")
            header = json.loads(line)
        except (OSError, ValueError) as error:
            raise AssetError(f"{path}: cannot be read as a packed file ({error})") from error
        if not isinstance(header, dict) or not isinstance(header.get("sha256"), str):
            raise AssetError(f"{path}: the first line does not describe a packed file")
        return cls(path, header, data)

    def expand(self) -> bytes:
        """Return the data; AssetError if it is damaged."""
        import lzma  # noqa: PLC0415 - see above

        try:
            return lzma.decompress(self.data)
        except lzma.LZMAError as error:
            raise AssetError(f"{self.path}: is damaged ({error})") from error


def cache_directory() -> Path:
    """Return where unpacked files are kept: bonnard/ in $XDG_CACHE_HOME or ~/.cache."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    # The specification of the variable tells to ignore a relative path.
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "bonnard"


def mapped(
    packed: Packed, kind: str, unpack: Callable[[bytes], bytes], directory: Path | None = None
) -> bytes | mmap.mmap:
    """Return the unpacked data of a packed file as a read-only buffer, from the cache if it is sound there.

    `unpack` turns the expanded data into what is mapped. AssetError if even that has another hash.
    """
    digest = packed.header["sha256"]
    path = (cache_directory() if directory is None else directory) / f"{kind}-{digest[:16]}.bin"
    with contextlib.suppress(OSError, ValueError), path.open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        if os.fstat(file.fileno()).st_mtime_ns == _checked_time(digest) * 10**9:
            return data
        if _hash(data) == digest:
            _note_checked(path, digest)
            return data
        data.close()
    fresh = unpack(packed.expand())
    if _hash(fresh) != digest:
        raise AssetError(f"the shipped {kind} are damaged: their unpacked data has another hash")
    try:
        _write(path, fresh, digest)
        with path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
    except (OSError, ValueError):
        return fresh


def _hash(data: bytes | mmap.mmap) -> str:
    import hashlib  # noqa: PLC0415 - see above

    return hashlib.sha256(data).hexdigest()


def _checked_time(digest: str) -> int:
    """Return the time of change, in seconds, that marks a checked file; any write to it sets another one.

    To hash some 50 MB takes as long as the rest of an engine's start.
    """
    return int(digest[:7], 16)


def _note_checked(path: Path, digest: str) -> None:
    with contextlib.suppress(OSError):  # not ours to mark: it is hashed every time
        os.utime(path, (_checked_time(digest),) * 2)


def _write(path: Path, data: bytes, digest: str) -> None:
    """Write a checked file that appears whole or not at all, even after a loss of power."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.stem}.{os.urandom(4).hex()}.part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _note_checked(part, digest)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def folded(parts: bytes | bytearray) -> bytes:
    """Return the table that `engine.evaluate` reads for unfolded weights."""
    table = bytearray(2 * TABLE_SIZE)
    fold(parts, table)
    return bytes(table)


def pack_weights(parts: bytes | bytearray, provenance: dict[str, Any], path: Path) -> None:
    """Write unfolded weights as a packed file; `provenance` tells how they were made."""
    import lzma  # noqa: PLC0415 - see above

    header = {
        "kind": "weights",
        "sha256": _hash(folded(parts)),
        "provenance": provenance,
    }
    data = lzma.compress(parts, preset=9 | lzma.PRESET_EXTREME)
    path.write_bytes(json.dumps(header).encode() + b"\n" + data)


def weights_in(packed: Packed) -> bytes:
    """Return the unfolded weights in a packed file, to go on from; AssetError if it is damaged."""
    parts = packed.expand()
    if len(parts) != 2 * PARTS_SIZE:
        raise AssetError(f"{packed.path}: has {len(parts)} bytes of weights, not {2 * PARTS_SIZE}")
    return parts


def unpack_weights(path: Path) -> bytes:
    """Return the unfolded weights in the packed file at `path`; AssetError if it is damaged or none."""
    return weights_in(Packed.read(path))


def load_weights(path: Path | None = None, directory: Path | None = None) -> dict[str, Any]:
    """Evaluate with the weights of a packed file, by default the shipped ones, and return their provenance.

    Without a shipped file, as before the first learning, the engine plays by material and advancement.
    """
    if path is None and not WEIGHTS.exists():
        use_weights(folded(untaught()))
        return {}
    packed = Packed.read(WEIGHTS if path is None else path)
    use_weights(mapped(packed, "weights", folded, directory))
    provenance: dict[str, Any] = packed.header.get("provenance", {})
    return provenance


def load_evaluation(name: str) -> None:
    """Evaluate with LEARNED or HAND_MADE weights from now on, in the whole process."""
    if name == LEARNED:
        load_weights()
    else:
        from engine.handmade import handmade  # noqa: PLC0415 - see above

        use_weights(folded(handmade()))
