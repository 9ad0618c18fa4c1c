"""Tiny random GGUF models, real enough for llama.cpp: a plain transformer and a hybrid."""

from pathlib import Path

import numpy as np
from gguf import GGUFWriter, TokenType

WIDTH, HIDDEN, HEAD = 64, 128, 32
STATE, GROUPS, HEADS, INNER = 32, 2, 4, 128
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
NAMED = ["<tool_call>", "</tool_call>", "<think>", "</think>"]
MERGES = ["t u", "tu r", "tur n", "l i", "li g", "lig h", "ligh t"]


def byte_letters() -> list[str]:
    """Return GPT-2's printable stand-ins for the 256 bytes."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters = {byte: chr(byte) for byte in plain}
    extra = 0
    for byte in range(256):
        if byte not in letters:
            letters[byte] = chr(256 + extra)
            extra += 1
    return [letters[byte] for byte in range(256)]


def build(path: Path, *, architecture: str = "qwen2", seed: int = 1, layers: int = 4, name: str = "tiny") -> Path:
    """Write a random model of architecture `qwen2` or `qwen35`."""
    words = [*byte_letters(), *(m.replace(" ", "") for m in MERGES), *SPECIAL, *NAMED]
    writer = GGUFWriter(str(path), architecture)
    _describe(writer, architecture, layers, name)
    _vocabulary(writer, words)
    rng = np.random.default_rng(seed)

    def add(key: str, *shape: int, scale: float = 0.2, offset: float = 0.0) -> None:
        values = rng.standard_normal(shape[::-1]) * scale + offset
        writer.add_tensor(key, values.astype(np.float32))

    add("token_embd.weight", WIDTH, len(words), scale=1.0)
    add("output_norm.weight", WIDTH, scale=0.05, offset=1.0)
    for layer in range(layers):
        hybrid = architecture == "qwen35"
        add(f"blk.{layer}.attn_norm.weight", WIDTH, scale=0.05, offset=1.0)
        after = "post_attention_norm" if hybrid else "ffn_norm"
        add(f"blk.{layer}.{after}.weight", WIDTH, scale=0.05, offset=1.0)
        add(f"blk.{layer}.ffn_gate.weight", WIDTH, HIDDEN)
        add(f"blk.{layer}.ffn_up.weight", WIDTH, HIDDEN)
        add(f"blk.{layer}.ffn_down.weight", HIDDEN, WIDTH)
        if not hybrid:
            _plain_attention(add, layer)
        elif (layer + 1) % 4 == 0:
            _gated_attention(add, layer)
        else:
            _linear_attention(add, layer)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _describe(writer, architecture, layers, name):
    writer.add_name(name)
    writer.add_block_count(layers)
    writer.add_context_length(4096)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(2)
    writer.add_head_count_kv(1)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_freq_base(10000.0)
    if architecture == "qwen35":
        writer.add_key_length(HEAD)
        writer.add_value_length(HEAD)
        writer.add_rope_dimension_count(16)
        writer.add_rope_dimension_sections([3, 3, 2, 0])
        writer.add_ssm_conv_kernel(4)
        writer.add_ssm_state_size(STATE)
        writer.add_ssm_group_count(GROUPS)
        writer.add_ssm_time_step_rank(HEADS)
        writer.add_ssm_inner_size(INNER)


def _vocabulary(writer, words):
    plain = len(words) - len(SPECIAL) - len(NAMED)
    types = [TokenType.NORMAL] * plain + [TokenType.CONTROL] * len(SPECIAL) + [TokenType.USER_DEFINED] * len(NAMED)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(words)
    writer.add_token_types(types)
    writer.add_token_merges(MERGES)
    writer.add_eos_token_id(words.index("<|im_end|>"))
    writer.add_bos_token_id(words.index("<|endoftext|>"))
    writer.add_pad_token_id(words.index("<|endoftext|>"))
    writer.add_add_bos_token(value=False)
    writer.add_chat_template("{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}")


def _plain_attention(add, layer):
    for part, width in (("q", WIDTH), ("k", HEAD), ("v", HEAD)):
        add(f"blk.{layer}.attn_{part}.weight", WIDTH, width)
        add(f"blk.{layer}.attn_{part}.bias", width)
    add(f"blk.{layer}.attn_output.weight", WIDTH, WIDTH)


def _gated_attention(add, layer):
    add(f"blk.{layer}.attn_q.weight", WIDTH, HEAD * 2 * 2)
    add(f"blk.{layer}.attn_k.weight", WIDTH, HEAD)
    add(f"blk.{layer}.attn_v.weight", WIDTH, HEAD)
    add(f"blk.{layer}.attn_output.weight", HEAD * 2, WIDTH)
    for part in ("q", "k"):
        add(f"blk.{layer}.attn_{part}_norm.weight", HEAD, scale=0.05, offset=1.0)


def _linear_attention(add, layer):
    convolved = 2 * STATE * GROUPS + INNER
    add(f"blk.{layer}.attn_qkv.weight", WIDTH, convolved)
    add(f"blk.{layer}.attn_gate.weight", WIDTH, INNER)
    add(f"blk.{layer}.ssm_conv1d.weight", 4, convolved)
    add(f"blk.{layer}.ssm_dt.bias", HEADS)
    add(f"blk.{layer}.ssm_a", HEADS, scale=0.05, offset=-1.0)
    add(f"blk.{layer}.ssm_beta.weight", WIDTH, HEADS)
    add(f"blk.{layer}.ssm_alpha.weight", WIDTH, HEADS)
    add(f"blk.{layer}.ssm_norm.weight", STATE, scale=0.05, offset=1.0)
    add(f"blk.{layer}.ssm_out.weight", INNER, WIDTH)
