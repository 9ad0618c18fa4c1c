"""Bring a GGUF file from a model hub: chosen by the repository's listing, resumed, checked, and never half in place."""

import contextlib
import hashlib
import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Self
from urllib.parse import urlsplit

from botpsy_core.engine.gguf import read_header
from botpsy_core.errors import ModelDownloadFailed

ANSWER_S = 5.0
"""Seconds in which a hub must answer."""

SPARE_DISK = 64 << 20
SPARE_MEMORY = 200 << 20

_BITS = re.compile(r"(?:^|[-._])((?:UD-)?(?:I?Q\d\w*|BF16|F16|F32|MXFP4\w*))\.gguf$", re.IGNORECASE)
_PART = re.compile(r"-\d{5}-of-\d{5}\.gguf$")

PREFERENCE = ("K_M", "K_XL", "K_L", "_0", "K_S", "_1", "NL", "XS")
"""Among files of the same number of bits, best first."""


class _Cancelled(Exception):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class HubFile:
    """One file of a hub repository."""

    repository: str
    name: str
    quantisation: str
    size_bytes: int
    sha256: str
    revision: str


def endpoint() -> str | None:
    """Return the hub's address that the environment asks for, or None for the usual one."""
    return os.environ.get("HF_ENDPOINT") or None


def listing(repository: str, *, token: str | None = None) -> tuple[HubFile, ...]:
    """Return a repository's whole GGUF models, smallest first; raise ModelDownloadFailed."""
    from huggingface_hub import HfApi  # noqa: PLC0415 - a second's import, only needed here

    with _in_words(repository):
        info = HfApi(endpoint=endpoint(), token=token).model_info(repository, files_metadata=True, timeout=ANSWER_S)
    files = [
        HubFile(
            repository=repository,
            name=file.rfilename,
            quantisation=bits.group(1).upper(),
            size_bytes=int(file.size or 0),
            sha256=file.lfs.sha256 if file.lfs is not None else "",
            revision=info.sha or "main",
        )
        for file in info.siblings or ()
        if (bits := _BITS.search(file.rfilename))
        and not _PART.search(file.rfilename)
        and "mmproj" not in file.rfilename
    ]
    return tuple(sorted(files, key=lambda file: file.size_bytes))


def choose(repository: str, quantisation: str = "Q4", *, token: str | None = None) -> HubFile:
    """Return the file that fits `Q4`, `Q8`, `BF16` or an exact name such as `Q4_K_M`; raise ModelDownloadFailed."""
    files = listing(repository, token=token)
    if not files:
        raise ModelDownloadFailed(f"{repository} holds no GGUF file")
    wanted = quantisation.upper()
    if exact := [file for file in files if file.quantisation == wanted]:
        return exact[0]
    if fitting := [file for file in files if file.quantisation.removeprefix("UD-").startswith(wanted)]:
        return min(fitting, key=lambda file: (_rank(file.quantisation), file.size_bytes))
    names = ", ".join(dict.fromkeys(file.quantisation for file in files))
    raise ModelDownloadFailed(f"{repository} has no {quantisation}; it has {names}")


def fetch(
    file: HubFile,
    folder: Path,
    *,
    token: str | None = None,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Path:
    """Return the file on disk, loading what is missing of it; blocks. Raise ModelDownloadFailed or ModelFileInvalid.

    What was loaded before a cancel or a failure is kept aside under another name and continued next time.
    """
    target = folder / Path(file.name).name
    if target.exists() and target.stat().st_size == file.size_bytes and _matches(target, file.sha256):
        return target
    folder.mkdir(parents=True, exist_ok=True)
    side = folder / f".{target.name}.{(file.sha256 or file.revision)[:12]}.part"
    have = side.stat().st_size if side.exists() else 0
    _check_room(file, folder, have)
    if have < file.size_bytes:
        with _in_words(file.repository), side.open("ab") as out:
            _load(file, out, token, _reporter(file.size_bytes, progress, cancelled))
    if not _matches(side, file.sha256):
        side.unlink(missing_ok=True)
        raise ModelDownloadFailed(f"{file.name} arrived damaged: its SHA-256 is not the repository's; load it anew")
    read_header(side)
    side.replace(target)
    return target


def _load(file: HubFile, out: BinaryIO, token: str | None, reporter: Any) -> None:
    """Append what is missing."""
    from huggingface_hub import get_hf_file_metadata, hf_hub_url  # noqa: PLC0415 - as above
    from huggingface_hub.file_download import http_get  # noqa: PLC0415

    url = hf_hub_url(file.repository, file.name, revision=file.revision, endpoint=endpoint())
    there = get_hf_file_metadata(url, token=token, timeout=ANSWER_S, endpoint=endpoint()).location
    ours = urlsplit(there).netloc == urlsplit(url).netloc  # a token is not for the hub's file servers
    headers = {"authorization": f"Bearer {token}"} if token and ours else {}
    http_get(
        there,
        out,
        resume_size=out.tell(),
        headers=headers,
        expected_size=file.size_bytes,
        tqdm_class=reporter,
    )


def _reporter(total: int, progress: Callable[[int, int], None], cancelled: Callable[[], bool]) -> Any:
    """Return what huggingface_hub calls instead of a progress bar."""

    class Reporter:
        def __init__(self, *, initial: int = 0, **_: object) -> None:
            self._done = initial

        def update(self, count: int) -> None:
            if cancelled():
                raise _Cancelled
            self._done += count
            progress(self._done, total)

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            return

        def close(self) -> None:
            return

    return Reporter


def _check_room(file: HubFile, folder: Path, have: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < file.size_bytes - have + SPARE_DISK:
        raise ModelDownloadFailed(
            f"{file.name} needs {_mb(file.size_bytes - have)} MB of disk and {_mb(free)} MB are free in {str(folder)!r}"
        )
    memory = total_memory()
    if memory is not None and memory < file.size_bytes + SPARE_MEMORY:
        needed = file.size_bytes + SPARE_MEMORY
        raise ModelDownloadFailed(f"{file.name} needs {_mb(needed)} MB of memory and this machine has {_mb(memory)} MB")


def total_memory() -> int | None:
    """Return the machine's memory in bytes, or None where it cannot be told."""
    with contextlib.suppress(ValueError, OSError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return None


@contextlib.contextmanager
def _in_words(repository: str) -> Iterator[None]:
    """Turn what a hub's client raises into one clear line."""
    from huggingface_hub import errors  # noqa: PLC0415 - as above

    hub = endpoint() or "the model hub"
    try:
        yield
    except _Cancelled as error:
        raise ModelDownloadFailed("cancelled; what was loaded is kept and continued next time") from error
    except errors.GatedRepoError as error:
        raise ModelDownloadFailed(f"{repository} is gated: accept its terms on {hub} and give a token") from error
    except errors.RepositoryNotFoundError as error:
        raise ModelDownloadFailed(f"{hub} has no repository {repository}, or it wants a token") from error
    except (errors.HfHubHTTPError, errors.FileMetadataError) as error:
        raise ModelDownloadFailed(f"{hub} answered: {_first_line(error)}") from error
    except errors.HFValidationError as error:
        raise ModelDownloadFailed(f"{repository!r} is no name of a repository") from error
    except (errors.HTTPError, OSError) as error:  # type: ignore[attr-defined] # its client's own, whichever that is
        raise ModelDownloadFailed(f"{hub} cannot be reached, or the disk be written: {_first_line(error)}") from error


def _rank(quantisation: str) -> int:
    return next((i for i, end in enumerate(PREFERENCE) if quantisation.endswith(end)), len(PREFERENCE))


def _matches(path: Path, sha256: str) -> bool:
    if not sha256:
        return True
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == sha256


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def _mb(size: int) -> int:
    return size // 1_000_000
