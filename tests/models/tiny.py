"""Tiny models with random weights, made on the spot, for the tests of the extra `rerankers`."""

import pytest

WORDS = "the a of and cat dog mouse house revenue grew fell by percent million in year report query passage for".split()


def needed():
    """Skips where the extra is not installed."""
    for name in ("torch", "sentence_transformers"):
        pytest.importorskip(
            name, reason="needs the extra: pip install 'pincite[rerankers]' (make test-models)"
        )


def _parts(folder, **more):
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, PreTrainedTokenizerFast

    vocabulary = {
        word: at
        for at, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS, ":", "?"])
    }
    words = Tokenizer(models.WordLevel(vocabulary, "[UNK]"))
    words.normalizer = normalizers.Lowercase()
    words.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    words.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=words, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]",
        mask_token="[MASK]", model_max_length=24, model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    )  # fmt: skip
    tokenizer.save_pretrained(folder)
    torch.manual_seed(7)
    return BertConfig(
        vocab_size=len(vocabulary), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=24, initializer_range=1.0, **more,
    )  # fmt: skip


def tiny_encoder(folder, prompts=None, pooled="mean"):
    """A sentence encoder of 16 dimensions that reads 24 tokens, in `folder`."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertModel

    plain = folder.with_name(folder.name + "-plain")
    BertModel(_parts(plain)).save_pretrained(plain)
    model = SentenceTransformer(
        modules=[Transformer(str(plain)), Pooling(16, pooling_mode=pooled)],
        prompts=prompts,
        device="cpu",
    )
    model.save(str(folder))
    return folder


def tiny_cross(folder, labels=1):
    """A cross-encoder with so many labels, in `folder`."""
    from transformers import BertForSequenceClassification

    BertForSequenceClassification(_parts(folder, num_labels=labels)).save_pretrained(folder)
    return folder


def reference(folder, inputs):
    """What the weights in `folder` give for texts or pairs, one at a time: the last hidden states or the logits."""
    import torch
    from transformers import AutoModel, AutoModelForSequenceClassification, AutoTokenizer

    pairs = not isinstance(inputs[0], str)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = (
        (AutoModelForSequenceClassification if pairs else AutoModel).from_pretrained(folder).eval()
    )
    found = []
    with torch.no_grad():
        for one in inputs:
            read = tokenizer(
                *(one if pairs else (one,)), truncation=True, max_length=24, return_tensors="pt"
            )
            given = model(**read)
            found.append((given.logits if pairs else given.last_hidden_state)[0].double().numpy())
    return found
