"""A tiny GGUF model with random weights, made on the spot, for the tests against llama.cpp's server."""

from pathlib import Path

import numpy as np

WIDTH, HEADS, HIDDEN, CONTEXT = 32, 2, 64, 32768
CONTROL = ("<unk>", "<s>", "</s>")
CHAT = "{% for message in messages %}<s>{{ message.role }}\n{{ message.content }}</s>{% endfor %}<s>assistant\n"


def byte_token(byte: int) -> int:
    """The token of a byte."""
    return len(CONTROL) + byte


def tiny_gguf(path: Path, seed: int = 7) -> Path:
    """A Llama of one layer at `path`, whose tokens are the 256 bytes, the space and the control tokens."""
    import gguf

    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    words = _add_tokens(writer)
    random = np.random.default_rng(seed)
    square, wide, narrow = (WIDTH, WIDTH), (HIDDEN, WIDTH), (WIDTH, HIDDEN)
    shapes = {
        "token_embd": (words, WIDTH), "output": (words, WIDTH),
        "blk.0.attn_q": square, "blk.0.attn_k": square, "blk.0.attn_v": square, "blk.0.attn_output": square,
        "blk.0.ffn_gate": wide, "blk.0.ffn_up": wide, "blk.0.ffn_down": narrow,
    }  # fmt: skip
    for name, shape in shapes.items():
        writer.add_tensor(
            f"{name}.weight", random.normal(0, shape[1] ** -0.5, shape).astype(np.float32)
        )
    for name in ("output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"):
        writer.add_tensor(f"{name}.weight", np.ones(WIDTH, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _add_tokens(writer) -> int:
    """Add the vocabulary to a file; the number of its tokens."""
    from gguf import TokenType

    tokens = [*CONTROL, *(f"<0x{byte:02X}>" for byte in range(256)), "▁"]
    types = [
        TokenType.UNKNOWN,
        TokenType.CONTROL,
        TokenType.CONTROL,
        *[TokenType.BYTE] * 256,
        TokenType.NORMAL,
    ]
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types(types)
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_vocab_size(len(tokens))
    writer.add_chat_template(CHAT)
    return len(tokens)
