"""llama.cpp's low-level calls behind two small classes; the only file that imports llama_cpp."""

import ctypes
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import llama_cpp as ll
import numpy as np

from botpsy_core.engine.batch import BATCH, Aborted, ContextFull, Logits, Row, State, Vocabulary
from botpsy_core.engine.threads import Governor
from botpsy_core.errors import EngineFailed, ModelFileInvalid

BUILD = f"{ll.__version__}+{ll.llama_print_system_info().decode('utf-8', 'replace')}"
"""Names the build, so that no state of another one is restored."""

_PARTIAL = ll.LLAMA_STATE_SEQ_FLAGS_PARTIAL_ONLY
_WARN_AND_ERROR = (3, 4)
_KEPT_ALIVE: list[object] = []


class Model:
    """A loaded file: its weights, its vocabulary and its metadata."""

    def __init__(self, path: Path) -> None:
        """Load the file; raise ModelFileInvalid where llama.cpp does not take it."""
        ll.llama_backend_init()
        params = ll.llama_model_default_params()
        params.n_gpu_layers = 0
        params.load_mtp = False
        self.pointer = ll.llama_model_load_from_file(str(path).encode(), params)
        """llama.cpp's own handle."""
        if not self.pointer:
            raise ModelFileInvalid(f"llama.cpp cannot load {str(path)!r}: its kind or its content is not supported")
        self._vocab = ll.llama_model_get_vocab(self.pointer)
        self.size_bytes = int(ll.llama_model_size(self.pointer))
        self.rolls_back = not (ll.llama_model_is_hybrid(self.pointer) or ll.llama_model_is_recurrent(self.pointer))
        """False where the memory cannot forget its last tokens and needs a checkpoint instead."""
        self.trained_context = int(ll.llama_model_n_ctx_train(self.pointer))
        self._piece_buffer = ctypes.create_string_buffer(1024)
        self._pieces: dict[int, bytes] = {}

    def template(self) -> str:
        """Return the chat template, empty where there is none."""
        text = ll.llama_model_chat_template(self.pointer, None)
        return text.decode("utf-8", "replace") if text else ""

    def special(self, which: str) -> str:
        """Return the text of `bos` or `eos`, empty where there is none."""
        token = {"bos": ll.llama_vocab_bos, "eos": ll.llama_vocab_eos}[which](self._vocab)
        return self.piece(token).decode("utf-8", "replace") if token >= 0 else ""

    def tokenize(self, text: str, *, first: bool) -> list[int]:
        """Return the tokens of a text with its special tokens; `first` adds what the model wants at a beginning."""
        raw = text.encode()
        size = len(raw) + 8
        buffer = (ll.llama_token * size)()
        count = ll.llama_tokenize(self._vocab, raw, len(raw), buffer, size, first, True)  # noqa: FBT003
        if count < 0:
            raise EngineFailed(f"llama.cpp needs {-count} tokens for {len(raw)} bytes")
        return list(buffer[:count])

    def piece(self, token: int) -> bytes:
        """Return a token's bytes, special tokens as their name."""
        known = self._pieces.get(token)
        if known is None:
            known = self._pieces[token] = self._read_piece(token)
        return known

    def _read_piece(self, token: int) -> bytes:
        size = len(self._piece_buffer)
        length = ll.llama_token_to_piece(self._vocab, token, self._piece_buffer, size, 0, True)  # noqa: FBT003
        return self._piece_buffer.raw[: max(length, 0)]

    def ends(self, token: int) -> bool:
        """Return True if this token ends an answer."""
        return bool(ll.llama_vocab_is_eog(self._vocab, token))

    def vocabulary(self) -> Vocabulary:
        """Return all tokens; takes a second for a large vocabulary."""
        count = ll.llama_vocab_n_tokens(self._vocab)
        pieces = [self._marked(token) for token in range(count)]
        eos = ll.llama_vocab_eos(self._vocab)
        ends = [token for token in range(count) if self.ends(token)]
        ends.sort(key=lambda token: token != eos)
        tokenize = ctypes.cast(ll.llama_cpp._lib.llama_tokenize, ctypes.c_void_p).value  # noqa: SLF001
        return Vocabulary(pieces=pieces, ends=ends or [eos], pointer=self._vocab, tokenize=tokenize or 0)

    def _marked(self, token: int) -> bytes:
        piece = self._read_piece(token)
        attributes = ll.llama_vocab_get_attr(self._vocab, token)
        named = piece.startswith(b"<") and piece.endswith(b">")
        if attributes & ll.LLAMA_TOKEN_ATTR_CONTROL or (attributes & ll.LLAMA_TOKEN_ATTR_USER_DEFINED and named):
            return b"\xff" + piece
        return piece

    def close(self) -> None:
        """Free the weights."""
        ll.llama_model_free(self.pointer)


class Context:
    """The memory of what was read: sequences of tokens that can be extended, copied, cut and kept."""

    def __init__(
        self, model: Model, *, tokens: int, sequences: int, governor: Governor, abort: Callable[[], bool]
    ) -> None:
        """Reserve memory for so many tokens in so many sequences; `abort` is asked during every decode."""
        params = ll.llama_context_default_params()
        params.n_ctx = tokens
        params.n_batch = params.n_ubatch = BATCH
        params.n_seq_max = sequences
        params.n_threads = params.n_threads_batch = governor.threads
        params.flash_attn_type = ll.LLAMA_FLASH_ATTN_TYPE_DISABLED
        params.kv_unified = True
        params.no_perf = True
        self._context = ll.llama_init_from_model(model.pointer, params)
        if not self._context:
            raise EngineFailed(f"no memory for a context of {tokens} tokens")
        self._memory = ll.llama_get_memory(self._context)
        self._batch = ll.llama_batch_init(BATCH, 0, sequences)
        self._words = int(ll.llama_vocab_n_tokens(ll.llama_model_get_vocab(model.pointer)))
        self.size = int(ll.llama_n_ctx(self._context))
        self.sequences = sequences
        self.seconds = 0.0
        """Time spent in llama.cpp so far."""
        self.state_bytes = 0
        """What the context holds when it is full; known once warmed up."""
        self.governor = governor
        self._threads = governor.threads
        self._until = math.inf
        self._callback = ll.ggml_abort_callback(lambda _: abort() or time.perf_counter() > self._until)
        ll.llama_set_abort_callback(self._context, self._callback, None)

    def timed(self, batches: Sequence[Sequence[Row]], *, threads: int, limit_s: float = math.inf) -> float:
        """Evaluate batches from an empty memory on; return the seconds, infinity where they are given up."""
        self.use(threads)
        self.clear()
        started = time.perf_counter()
        self._until = started + limit_s
        try:
            for rows in batches:
                self.decode(rows)
        except Aborted:
            return math.inf
        finally:
            self._until = math.inf
        return time.perf_counter() - started

    def state_size(self, sequence: int = 0) -> int:
        """Return how many bytes a sequence's state has now."""
        return int(ll.llama_state_seq_get_size(self._context, sequence))

    @property
    def threads(self) -> int:
        """Return how many threads the next decode gets."""
        return self._threads

    def use(self, threads: int) -> None:
        """Give the next decode so many threads."""
        if threads != self._threads:
            ll.llama_set_n_threads(self._context, threads, threads)
            self._threads = threads

    def decode(self, rows: Sequence[Row]) -> None:
        """Evaluate one batch; raise Aborted or ContextFull with nothing changed, EngineFailed on anything else."""
        if not 0 < len(rows) <= BATCH:
            raise EngineFailed(f"a batch of {len(rows)} tokens")
        batch = self._batch
        batch.n_tokens = len(rows)
        for index, row in enumerate(rows):
            batch.token[index] = row.token
            batch.pos[index] = row.position
            batch.n_seq_id[index] = len(row.sequences)
            for place, sequence in enumerate(row.sequences):
                batch.seq_id[index][place] = sequence
            batch.logits[index] = row.logits
        started = time.perf_counter()
        code = ll.llama_decode(self._context, batch)
        seconds = time.perf_counter() - started
        self.seconds += seconds
        match code:
            case 0 if self._until == math.inf:
                self.use(self.governor.observe(len(rows), seconds))
            case 0:
                return
            case 1:
                raise ContextFull
            case 2:
                raise Aborted
            case _:
                raise EngineFailed(f"llama.cpp's decode failed with code {code}")

    def logits(self, row: int = -1) -> Logits:
        """Return a row's logits; valid until the next decode."""
        pointer = ll.llama_get_logits_ith(self._context, row)
        if not pointer:
            raise EngineFailed("llama.cpp has no logits for that row")
        return np.ctypeslib.as_array(pointer, shape=(self._words,))

    def cut(self, sequence: int, start: int) -> bool:
        """Forget a sequence from this position on; False where the memory cannot."""
        return bool(ll.llama_memory_seq_rm(self._memory, sequence, start, -1))

    def copy(self, source: int, target: int) -> None:
        """Let a second sequence begin with all of the first."""
        ll.llama_memory_seq_cp(self._memory, source, target, -1, -1)

    def clear(self) -> None:
        """Forget everything."""
        ll.llama_memory_clear(self._memory, False)  # noqa: FBT003

    def save(self, sequence: int = 0, *, partial: bool = False) -> State:
        """Return a sequence's state; `partial` only what cannot be cut."""
        flags = _PARTIAL if partial else 0
        size = ll.llama_state_seq_get_size_ext(self._context, sequence, flags)
        data = np.empty(size, np.uint8)
        written = ll.llama_state_seq_get_data_ext(self._context, _bytes_of(data), size, sequence, flags)
        if not written:
            raise EngineFailed("llama.cpp gave no state")
        return data[:written]

    def restore(self, data: State, sequence: int = 0, *, partial: bool = False) -> bool:
        """Put a saved state back; False where it does not fit this context."""
        flags = _PARTIAL if partial else 0
        return bool(ll.llama_state_seq_set_data_ext(self._context, _bytes_of(data), data.size, sequence, flags))

    def close(self) -> None:
        """Free the memory."""
        ll.llama_batch_free(self._batch)
        ll.llama_free(self._context)


def _bytes_of(data: State) -> Any:
    return data.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8))


def silence(sink: Callable[[str], None]) -> None:
    """Send llama.cpp's warnings and errors to `sink` and the rest nowhere."""

    def write(level: int, text: bytes, _: object) -> None:
        if level in _WARN_AND_ERROR:
            sink(text.decode("utf-8", "replace").strip())

    callback = ll.llama_log_callback(write)
    _KEPT_ALIVE.append(callback)
    ll.llama_log_set(callback, None)
