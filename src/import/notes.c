#include "import/draft.h"

#include <stdio.h>
#include <string.h>

/* What a reader of the record is told; %s is the name of a key. No figures: they belong in fields. */
static const struct {
	const char *en, *ko;
} TEXTS[NOTE_COUNT] = {
	[NOTE_TIED_FAMILY] = { "`%s` is absent: tied embeddings are the default of this family.",
		"`%s` 키가 없어 이 계열의 기본값인 임베딩 공유로 보았습니다." },
	[NOTE_TIED_DEFAULT] = { "`%s` is absent: embeddings were taken as untied, the default of this family.",
		"`%s` 키가 없어 이 계열의 기본값대로 임베딩을 공유하지 않는 것으로 보았습니다." },
	[NOTE_MHA] = { "`%s` is absent: every query head was given a key and value head of its own.",
		"`%s` 키가 없어 query head마다 key와 value head가 하나씩 있는 것으로 보았습니다." },
	[NOTE_HEAD_DIM] = { "`%s` is absent: the head size was taken as the model width over the query heads.",
		"`%s` 키가 없어 head 크기를 모델 폭을 query head 수로 나눈 값으로 보았습니다." },
	[NOTE_FFN_DEFAULT] = { "`%s` is absent: the feed-forward width is the default of this family.",
		"`%s` 키가 없어 feed-forward 폭을 이 계열의 기본값으로 잡았습니다." },
	[NOTE_GENERIC] = { "The family is not known: it was read as a decoder with the usual keys, since no key points to another cache.",
		"알려지지 않은 계열이며, 다른 cache를 가리키는 키가 없어 일반적인 decoder로 읽었습니다." },
	[NOTE_WINDOW_PERIOD] = { "No key says which layers are windowed: the pattern of this family was taken.",
		"어느 층이 window인지 알려 주는 키가 없어 이 계열의 배치를 따랐습니다." },
	[NOTE_WINDOW_CODE] = { "`%s` is absent: the rows of a window are the default of this family.",
		"`%s` 키가 없어 window의 줄 수를 이 계열의 기본값으로 잡았습니다." },
	[NOTE_WINDOW_ALL] = { "`%s` stands without a pattern: every layer was taken as windowed.",
		"`%s`만 있고 배치가 없어 모든 층을 window로 보았습니다." },
	[NOTE_WINDOW_OFF] = { "`%s` is switched off or not below the context: no layer is windowed.",
		"`%s` 값이 꺼져 있거나 컨텍스트보다 짧지 않아 window 층이 없는 것으로 보았습니다." },
	[NOTE_STATE_DTYPE] = { "No key states the dtype of the recurrent state: it was taken as single precision.",
		"순환 상태의 자료형이 적혀 있지 않아 단정밀도로 보았습니다." },
	[NOTE_CONV_DTYPE] = { "The convolution tail was taken in half precision.",
		"합성곱 꼬리는 반정밀도로 보았습니다." },
	[NOTE_MTP] = { "Layers that predict further tokens (`%s`) are not counted: they cost cache only with speculative decoding.",
		"여러 token을 미리 예측하는 층(`%s`)은 세지 않았습니다. 이 층의 cache는 추측 디코딩을 켤 때만 생깁니다." },
	[NOTE_NORMS] = { "Norm weights and biases are not counted.", "norm 가중치와 bias는 세지 않았습니다." },
	[NOTE_NO_WEIGHTS] = { "No weights were read: the configuration gives their dtypes, and their bytes are left to the parameters.",
		"가중치 파일은 읽지 않았습니다. 자료형은 구성에 적힌 대로이며 바이트 수는 파라미터 수로 계산하게 두었습니다." },
	[NOTE_NO_DTYPE] = { "No key states the dtype of the weights: the checkpoint is left out.",
		"가중치의 자료형이 적혀 있지 않아 체크포인트를 비워 두었습니다." },
	[NOTE_PLAIN_DTYPE] = { "No key states the dtype of what is not quantised (`%s`): it was taken as half precision.",
		"양자화하지 않은 가중치의 자료형(`%s`)이 적혀 있지 않아 반정밀도로 보았습니다." },
	[NOTE_NO_QUANT] = { "The method in `%s` gives no dtype that the engine knows: the checkpoint is left out.",
		"`%s`의 양자화 방식에 맞는 자료형이 없어 체크포인트를 비워 두었습니다." },
	[NOTE_MIXED_CLASS] = { "The class `%s` is only partly quantised: the dtype with more bytes was taken.",
		"`%s` 부류는 일부만 양자화되어 있어 바이트가 더 많은 자료형을 적었습니다." },
	[NOTE_KV_QUANT] = { "The file asks for a quantised KV cache (`%s`): give it as the dtype of the KV.",
		"이 파일은 양자화된 KV cache(`%s`)를 요구하므로 KV 자료형으로 지정해야 합니다." },
	[NOTE_EXPERT_WIDTH] = { "No key gives the width of an expert: `%s` was taken.",
		"expert의 폭이 따로 적혀 있지 않아 `%s` 값을 썼습니다." },
	[NOTE_CROSS_ROWS] = { "The rows of the source were taken from `%s`: a shorter source keeps fewer.",
		"원본 쪽의 줄 수는 `%s` 값이며, 원본이 더 짧으면 그만큼 적게 보관합니다." },
	[NOTE_WIDTHS_DIFFER] = { "Feed-forward widths differ by layer: all are counted at the narrowest width and the rest apart.",
		"층마다 feed-forward 폭이 달라 가장 좁은 폭으로 세고 나머지는 따로 더했습니다." },
	[NOTE_VISION] = { "Towers for other media (`%s`) are not part of this record.",
		"다른 매체를 읽는 부분(`%s`)은 이 기록에 넣지 않았습니다." },
	[NOTE_CHUNK_PERIOD] = { "No key says which layers attend in full: every fourth was taken, the default of this family.",
		"어느 층이 전체를 보는지 적혀 있지 않아 이 계열의 기본값대로 네 층마다 한 층으로 보았습니다." },
	[NOTE_NO_CONTEXT] = { "The longest context is not stated.", "최대 컨텍스트가 적혀 있지 않습니다." },
	[NOTE_VOCAB_TOKENS] = { "The size of the vocabulary is the length of the token list.",
		"어휘 크기는 토큰 목록의 길이입니다." },
	[NOTE_SPLIT_MISSING] = { "Parts of this split file are missing: bytes and tensors cover the parts that are there.",
		"나뉜 파일의 일부가 없어 바이트와 텐서는 있는 부분만 센 값입니다." },
	[NOTE_SHARD_MISSING] = { "Files that the index names are missing: the bytes cover those that are there.",
		"색인에 적힌 파일 일부가 없어 바이트는 있는 파일만 센 값입니다." },
	[NOTE_PACKED] = { "Packed weights hold more than one parameter an element; they were counted by the stated width.",
		"묶인 가중치는 한 원소에 파라미터가 여럿 들어 있어 적힌 폭으로 세었습니다." },
	[NOTE_UNKNOWN_DTYPE] = { "Some tensors have a type that the engine does not know (`%s`): their bytes are counted, their dtype is not.",
		"엔진이 모르는 형식(`%s`)의 텐서가 있어 바이트만 세고 자료형은 적지 않았습니다." },
	[NOTE_TOTAL_DIFFERS] = { "The tensors hold fewer parameters than the geometry gives: check the geometry.",
		"텐서의 파라미터 수가 구성으로 계산한 값보다 적으므로 구성을 확인해야 합니다." },
	[NOTE_NO_GEOMETRY] = { "Weights only: no config.json or params.json lies beside the file, so what a layer keeps is not known and the record is not whole.",
		"가중치만 읽었습니다. config.json이나 params.json이 곁에 없어 층이 보관하는 것을 알 수 없으므로 기록이 온전하지 않습니다." },
	[NOTE_ONE_SHARD] = { "The file is one of several: the bytes cover this one only.",
		"여러 파일 가운데 하나이므로 바이트는 이 파일만 센 값입니다." },
	[NOTE_SHARED_MIXER] = { "Attention blocks share their weights in this family: the parameter total is not derived from the geometry.",
		"이 계열은 attention 블록이 가중치를 함께 쓰므로 파라미터 합계는 구성으로 구한 값과 다를 수 있습니다." },
	[NOTE_SHARED_IMPLICIT] = { "One shared expert of the routed width stands in every expert layer, by the code of this family.",
		"이 계열의 코드에 따라 expert 층마다 공유 expert가 하나씩 있는 것으로 보았습니다." },
	[NOTE_OTHER_COPY] = { "A second copy of the weights lies beside the file (`%s`); it was not added.",
		"파일 곁에 가중치 사본(`%s`)이 하나 더 있으나 더하지 않았습니다." },
	[NOTE_EXTRA_STATE] = { "Low-rank parts of the mixer are not counted.", "mixer의 저랭크 부분은 세지 않았습니다." },
	[NOTE_CODE_SIZES] = { "Sizes of the state that no key gives are the defaults of the code.",
		"키에 없는 상태 크기는 코드의 기본값으로 잡았습니다." },
};

void
draft_note(struct draft *d, struct place at, enum note_id id, const char *key)
{
	char en[400], ko[400];
	struct import_note *grown;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(en, sizeof en, TEXTS[id].en, key);
	snprintf(ko, sizeof ko, TEXTS[id].ko, key);
#pragma GCC diagnostic pop
	for (size_t i = 0; i < d->note_count; i++)
		if (strcmp(d->notes[i].en, en) == 0)
			return;
	if (d->note_count == d->note_cap) {
		d->note_cap = d->note_cap == 0 ? 16 : 2 * d->note_cap;
		grown = arena_alloc(d->a, d->note_cap * sizeof *grown);
		if (d->note_count > 0)
			memcpy(grown, d->notes, d->note_count * sizeof *grown);
		d->notes = grown;
	}
	d->notes[d->note_count++] = (struct import_note){ at, arena_strdup(d->a, en), arena_strdup(d->a, ko) };
}
