/*
 * Stems, and what words say. The tables are about AI memory: the words that stand in nearly
 * every sentence of the subject tell little of one claim from another.
 */
#include <stdlib.h>
#include <string.h>

#include "util/utf8.h"
#include "wording/wording_int.h"

static const size_t SYLLABLE = 3; /* bytes of one */

static const double SAYS_ALL = 1.5, SAYS_MUCH = 1, SAYS_SOMETHING = 0.7, SAYS_LITTLE = 0.4;
static const double SAYS_HARDLY = 0.2, DENIES = -1, ASKS = -2;

struct word {
	const char *stem;
	const char *as; /* NULL: itself */
	char says;      /* a(ll), m(uch), s(omething), l(ittle), h(ardly), n(othing), d(enies), q(uestions) */
};

/* By the stem as word_stem_latin makes it: at most six letters. Both tables are in the order of their bytes. */
static const struct word latin[] = {
	{ "a", NULL, 'n' }, { "about", NULL, 'n' }, { "accele", NULL, 'l' }, { "accoun", "take", 'l' },
	{ "ai", NULL, 'l' }, { "all", NULL, 'h' }, { "also", NULL, 'n' }, { "alway", NULL, 'a' },
	{ "an", NULL, 'n' }, { "and", NULL, 'n' }, { "annual", "year", 'l' }, { "any", NULL, 'n' },
	{ "approx", NULL, 'n' }, { "are", NULL, 'n' }, { "aren", NULL, 'd' }, { "around", NULL, 'n' },
	{ "as", NULL, 'n' }, { "at", NULL, 'n' }, { "automo", "vehicl", 'l' }, { "be", NULL, 'n' },
	{ "beat", "better", 'm' }, { "been", NULL, 'n' }, { "betwee", NULL, 'n' },
	{ "bigges", "larges", 'l' }, { "blow", "explod", 'm' }, { "bom", "bill", 'm' },
	{ "but", NULL, 'n' }, { "by", NULL, 'n' }, { "cach", NULL, 'h' }, { "can", NULL, 'n' },
	{ "cannot", NULL, 'd' }, { "capex", NULL, 'm' }, { "capita", NULL, 'l' },
	{ "car", "vehicl", 'l' }, { "center", "centr", 'l' }, { "centr", NULL, 'l' },
	{ "climb", "ris", 's' }, { "comput", NULL, 'l' }, { "consum", "take", 'l' },
	{ "contex", NULL, 'l' }, { "cost", NULL, 'l' }, { "data", NULL, 'l' },
	{ "datace", "centr", 'l' }, { "defini", NULL, 'l' }, { "definit", NULL, 'l' },
	{ "devic", NULL, 'l' }, { "doesn", NULL, 'd' }, { "don", NULL, 'd' }, { "dram", NULL, 'l' },
	{ "each", "year", 'h' }, { "eight", "#", 'h' }, { "eighte", "#", 'h' }, { "every", NULL, 'h' },
	{ "expend", "capex", 'm' }, { "expens", "pric", 'm' }, { "failur", "fail", 'm' },
	{ "fifth", "%", 'l' }, { "figur", NULL, 'h' }, { "fiv", "#", 'h' }, { "fivefo", "time", 'l' },
	{ "fiveti", "time", 'l' }, { "fix", NULL, 's' }, { "flash", "ssd", 'l' },
	{ "fold", "time", 'l' }, { "for", NULL, 'n' }, { "four", "#", 'h' }, { "from", NULL, 'n' },
	{ "gb", NULL, 'h' }, { "goe", "take", 'l' }, { "gpu", NULL, 'l' }, { "grew", "ris", 's' },
	{ "grow", "ris", 's' }, { "grown", "ris", 's' }, { "half", "%", 'l' },
	{ "handse", "phone", 'm' }, { "has", NULL, 'n' }, { "hav", NULL, 'n' }, { "hbm", NULL, 'm' },
	{ "how", NULL, 'q' }, { "hundre", "#", 'h' }, { "in", NULL, 'n' }, { "increa", "ris", 's' },
	{ "infere", NULL, 'l' }, { "into", NULL, 'n' }, { "invari", "alway", 'a' }, { "is", NULL, 'n' },
	{ "isn", NULL, 'd' }, { "it", NULL, 'n' }, { "its", NULL, 'n' }, { "jump", "ris", 's' },
	{ "just", NULL, 'n' }, { "kv", NULL, 'l' }, { "kvcach", "kv", 'l' }, { "langua", "llm", 'h' },
	{ "larg", NULL, 'h' }, { "larges", NULL, 'l' }, { "lif", "last", 'm' },
	{ "lifesp", "last", 'm' }, { "lifeti", "last", 'm' }, { "llm", NULL, 'l' },
	{ "materi", NULL, 'h' }, { "may", NULL, 'n' }, { "median", "p50", 'm' },
	{ "memori", NULL, 'l' }, { "model", NULL, 'h' }, { "month", NULL, 'l' },
	{ "most", "larges", 'l' }, { "moveme", "mov", 'm' }, { "need", NULL, 's' },
	{ "neithe", NULL, 'd' }, { "never", NULL, 'd' }, { "nin", "#", 'h' }, { "nine", "#", 'h' },
	{ "no", NULL, 'd' }, { "non", NULL, 'd' }, { "normal", "standa", 'l' }, { "not", NULL, 'd' },
	{ "nothin", NULL, 'd' }, { "nvm", "ssd", 'l' }, { "occupi", "take", 'l' }, { "of", NULL, 'n' },
	{ "off", NULL, 'n' }, { "on", NULL, 'n' }, { "one", "#", 'h' }, { "only", NULL, 'n' },
	{ "onto", NULL, 'n' }, { "or", NULL, 'n' }, { "part", NULL, 'l' }, { "payoff", "pay", 'm' },
	{ "per", NULL, 'h' }, { "percen", "%", 'l' }, { "phon", "phone", 'm' }, { "power", NULL, 'l' },
	{ "quarte", "#", 'h' }, { "quote", NULL, 'h' }, { "ram", NULL, 's' }, { "re", NULL, 'n' },
	{ "remain", "stay", 'm' }, { "requal", "qualif", 'm' }, { "requir", "need", 's' },
	{ "ris", NULL, 's' }, { "risen", "ris", 's' }, { "robot", NULL, 'l' }, { "ros", "ris", 's' },
	{ "rose", "ris", 's' }, { "roughl", NULL, 'n' }, { "run", NULL, 'l' }, { "s", NULL, 'n' },
	{ "second", NULL, 'l' }, { "serv", "infere", 'l' }, { "seven", "#", 'h' },
	{ "shar", NULL, 'l' }, { "six", "#", 'h' }, { "skyroc", "explod", 'm' },
	{ "smartp", "phone", 'm' }, { "soar", "ris", 's' }, { "som", NULL, 'n' },
	{ "spend", "take", 'l' }, { "spent", "take", 'l' }, { "ssd", NULL, 'l' },
	{ "standa", NULL, 'l' }, { "tak", "take", 'l' }, { "taken", "take", 'l' }, { "tb", NULL, 'h' },
	{ "ten", "#", 'h' }, { "tenth", "%", 'l' }, { "than", NULL, 'n' }, { "that", NULL, 'n' },
	{ "the", NULL, 'n' }, { "their", NULL, 'n' }, { "them", NULL, 'n' }, { "they", NULL, 'n' },
	{ "thi", NULL, 'n' }, { "third", "%", 'l' }, { "thos", NULL, 'n' }, { "thre", "#", 'h' },
	{ "three", "#", 'h' }, { "tier", NULL, 'l' }, { "tim", "time", 'l' }, { "to", NULL, 'n' },
	{ "token", NULL, 'l' }, { "twelv", "#", 'h' }, { "two", "#", 'h' }, { "typica", "standa", 'l' },
	{ "under", NULL, 'n' }, { "up", NULL, 'n' }, { "use", "take", 'l' }, { "usual", "standa", 'l' },
	{ "usuall", "standa", 'h' }, { "vehicl", NULL, 'l' }, { "was", NULL, 'n' },
	{ "wer", NULL, 'n' }, { "when", NULL, 'n' }, { "whethe", NULL, 'q' }, { "which", NULL, 'n' },
	{ "whil", NULL, 'n' }, { "wil", NULL, 'n' }, { "win", "pay", 'm' }, { "with", NULL, 'n' },
	{ "withou", NULL, 'd' }, { "won", NULL, 'd' }, { "worth", "pay", 'm' }, { "x", "time", 'l' },
	{ "year", NULL, 'l' }, { "yearl", "year", 'l' }, { "you", NULL, 'n' }, { "your", NULL, 'n' },
};

/* By the word without its particle or ending. */
static const struct word hangul[] = {
	{ "가속기", NULL, 'l' }, { "가장", "larges", 'l' }, { "각각", NULL, 'n' }, { "개월", NULL, 'l' },
	{ "걸리", NULL, 'l' }, { "것", NULL, 'n' }, { "계층", NULL, 'l' }, { "교체", "바꾸", 'l' },
	{ "그", NULL, 'n' }, { "그것도", NULL, 'n' }, { "그대로", NULL, 'm' }, { "급증", "폭증", 'm' },
	{ "기간", "개월", 'l' }, { "낫", "좋", 'l' }, { "내리", "오프로드", 'm' }, { "네", "#", 'h' },
	{ "년", "해", 'l' }, { "늘", "항상", 'a' }, { "늘어나", NULL, 's' }, { "다섯", "#", 'h' },
	{ "대부분", "larges", 'l' }, { "대한", NULL, 'n' }, { "더", NULL, 'n' }, { "데이터", NULL, 'l' },
	{ "돌리", "실행", 'l' }, { "되", NULL, 'n' }, { "두", "#", 'h' }, { "들어가", "차지", 'l' },
	{ "등", NULL, 'n' }, { "때", NULL, 'n' }, { "또", NULL, 'n' }, { "또는", NULL, 'n' },
	{ "뛰", "늘어나", 's' }, { "뛰어나", "좋", 'l' }, { "로봇", NULL, 'l' }, { "매년", "해", 'l' },
	{ "메모리", NULL, 'l' }, { "몇", "#", 'h' }, { "모델", NULL, 'l' }, { "모든", "전체", 'h' },
	{ "모자라", "부족", 'l' }, { "몫", "비율", 'l' }, { "무조건", "항상", 'a' }, { "및", NULL, 'n' },
	{ "바꾸", NULL, 'l' }, { "배", "time", 'l' }, { "변경", "바꾸", 'l' }, { "보통", NULL, 'l' },
	{ "부분", NULL, 'l' }, { "부족", NULL, 'l' }, { "부품", NULL, 'l' }, { "분", "%", 'l' },
	{ "비싸", "가격", 'm' }, { "비율", NULL, 'l' }, { "비중", "비율", 'l' }, { "사용", "차지", 'l' },
	{ "상승", "늘어나", 's' }, { "성능", NULL, 'l' }, { "세", "#", 'h' }, { "센터", NULL, 'l' },
	{ "소모", "차지", 'l' }, { "소요", "걸리", 'l' }, { "소자", NULL, 'l' }, { "수", NULL, 'n' },
	{ "수치", NULL, 'h' }, { "스마트폰", NULL, 'l' }, { "시", NULL, 'n' }, { "실행", NULL, 'l' },
	{ "쓰", "차지", 'l' }, { "쓰이", "차지", 'l' }, { "압박", "부족", 'l' }, { "앞서", "좋", 'l' },
	{ "약", NULL, 'n' }, { "언제나", "항상", 'a' }, { "얼마", NULL, 'q' }, { "얼마나", NULL, 'q' },
	{ "여부", NULL, 'q' }, { "여섯", "#", 'h' }, { "연간", "해", 'l' }, { "연산", NULL, 'l' },
	{ "열", "#", 'h' }, { "오가", "이동", 'm' }, { "오르", "늘어나", 's' }, { "오프로딩", "오프로드", 'm' },
	{ "온디바이스", NULL, 'l' }, { "올라", "늘어나", 's' }, { "올랐", "늘어나", 's' }, { "옮기", "이동", 'm' },
	{ "우수", "좋", 'l' }, { "위해", NULL, 'n' }, { "유리", "이득", 'm' }, { "유지", "그대로", 'm' },
	{ "이", NULL, 'n' }, { "이익", "이득", 'm' }, { "인상", "늘어나", 's' }, { "인용", NULL, 'h' },
	{ "일반", "보통", 'l' }, { "일정", NULL, 'l' }, { "있", NULL, 'n' }, { "자동차", "차량", 'l' },
	{ "전력", NULL, 'l' }, { "전체", NULL, 'h' }, { "절반", "%", 'l' }, { "점유", "차지", 'l' },
	{ "정도", NULL, 'n' }, { "정해지", "정해진", 'l' }, { "정해진", NULL, 'l' }, { "좋", NULL, 'l' },
	{ "주고받", "이동", 'm' }, { "중", NULL, 'n' }, { "중앙값", "p50", 'm' }, { "증가", "늘어나", 's' },
	{ "차량", NULL, 'l' }, { "차량용", "차량", 'l' }, { "차지", NULL, 'l' }, { "초당", NULL, 'l' },
	{ "최대", NULL, 'n' }, { "추론", NULL, 'l' }, { "치솟", "폭증", 'm' }, { "캐시", "cach", 'h' },
	{ "커지", "늘어나", 's' }, { "컨텍스트", NULL, 'l' }, { "크", "큰", 'h' }, { "큰", NULL, 'h' },
	{ "토큰", "token", 'l' }, { "통상", "보통", 'l' }, { "퍼센트", "%", 'l' }, { "폰", "스마트폰", 'l' },
	{ "필요", NULL, 'l' }, { "하", NULL, 'n' }, { "하이퍼스케일러", NULL, 'l' }, { "한", "#", 'h' },
	{ "항상", NULL, 'a' }, { "해", NULL, 'l' }, { "해마", "해", 'l' }, { "확대", "늘어나", 's' },
	{ "휴대폰", "스마트폰", 'l' }, { "흔히", NULL, 'h' },
};

/* From long to short, so that the longest that fits is taken. */
#define E(s) { s, sizeof s - 1 }
static const struct ending {
	const char *s;
	size_t len;
} endings[] = {
	E("이었습니다"), E("하였습니다"), E("되었습니다"), E("했습니다"), E("됐습니다"),
	E("들었습니다"), E("입니다만"), E("이라고"), E("합니다"), E("됩니다"), E("입니다"), E("습니다"),
	E("하려면"), E("해지면"), E("으로써"), E("에서는"), E("에서의"), E("이지만"), E("하지만"),
	E("이므로"), E("하므로"), E("되므로"), E("이면"), E("하면"), E("되면"), E("이며"), E("하며"),
	E("되며"), E("이고"), E("하고"), E("되고"), E("인데"), E("하는"), E("되는"), E("하기"),
	E("되기"), E("해서"), E("하여"), E("되어"), E("했다"), E("됐다"), E("한다"), E("된다"),
	E("이다"), E("니다"), E("면서"), E("으면"), E("지면"), E("려면"), E("에서"), E("에게"),
	E("으로"), E("까지"), E("부터"), E("보다"), E("처럼"), E("마다"), E("이나"), E("에는"),
	E("에만"), E("로는"), E("라고"), E("다고"), E("려고"), E("는데"), E("지만"), E("용의"), E("은"),
	E("는"), E("이"), E("가"), E("을"), E("를"), E("의"), E("에"), E("로"), E("와"), E("과"),
	E("도"), E("만"), E("나"), E("할"), E("한"), E("된"), E("될"), E("인"), E("용"), E("며"),
	E("면"), E("고"), E("다"),
};
#undef E

static int
by_stem(const void *stem, const void *word)
{
	return strcmp(stem, ((const struct word *)word)->stem);
}

static const struct word *
find_word(const struct word *table, size_t count, const char *stem)
{
	return bsearch(stem, table, count, sizeof *table, by_stem);
}

static const char *
judge(const struct word *w, const char *stem, double *weight)
{
	*weight = SAYS_MUCH;
	if (w == NULL)
		return stem;
	switch (w->says) {
	case 'a':
		*weight = SAYS_ALL;
		break;
	case 's':
		*weight = SAYS_SOMETHING;
		break;
	case 'l':
		*weight = SAYS_LITTLE;
		break;
	case 'h':
		*weight = SAYS_HARDLY;
		break;
	case 'n':
		*weight = 0;
		break;
	case 'd':
		*weight = DENIES;
		break;
	case 'q':
		*weight = ASKS;
		break;
	default:
		break;
	}
	return w->as == NULL ? stem : w->as;
}

static bool
ends(const char *s, size_t len, const char *ending, size_t n)
{
	return len >= n && s[len - 1] == ending[n - 1] && memcmp(s + len - n, ending, n) == 0;
}

/* -ing, -ed, -ly, -s, a last e; then six letters. What is left need not be a word. */
const char *
word_stem_latin(char *out, const char *word, size_t len, double *weight)
{
	if (len >= WORD_MAX)
		len = WORD_MAX - 1;
	memcpy(out, word, len);
	if (len > 5 && ends(out, len, "ing", 3))
		len -= 3;
	else if (len > 4 && (ends(out, len, "ed", 2) || ends(out, len, "ly", 2)))
		len -= 2;
	else if (len > 3 && ends(out, len, "s", 1) && !ends(out, len, "ss", 2) && !ends(out, len, "us", 2))
		len--;
	if (len > 3 && out[len - 1] == 'e')
		len--;
	if (len > 3 && out[len - 1] == out[len - 2])
		len--;
	if (len > WORD_STEM)
		len = WORD_STEM;
	if (len == WORD_STEM && out[len - 1] == 'y')
		out[len - 1] = 'i';
	out[len] = '\0';
	return judge(find_word(latin, sizeof latin / sizeof *latin, out), out, weight);
}

/* The last syllable without a final ㄴ, ㄹ, ㅂ or ㅆ: 걸립니다, 걸린다, 걸릴 meet in 걸리. */
static void
open_syllable(char *s, size_t len)
{
	uint32_t cp;
	uint32_t final;

	if (len < 3 || utf8_decode(s + len - 3, 3, &cp) != 3 || cp < 0xAC00 || cp > 0xD7A3)
		return;
	final = (cp - 0xAC00) % 28;
	if (final != 4 && final != 8 && final != 17 && final != 20)
		return;
	cp -= final;
	s[len - 3] = (char)(0xE0 | cp >> 12);
	s[len - 2] = (char)(0x80 | (cp >> 6 & 0x3F));
	s[len - 1] = (char)(0x80 | (cp & 0x3F));
}

static bool
denies(const char *word)
{
	return strstr(word, "않") != NULL || strncmp(word, "아니", 6) == 0 ||
	    strncmp(word, "아닙", 6) == 0 || strncmp(word, "아닌", 6) == 0 ||
	    strncmp(word, "없", 3) == 0 || strncmp(word, "못", 3) == 0;
}

/* Endings of one syllable that nouns of two syllables hardly have. */
static bool
is_sure(const char *ending)
{
	static const char *const sure[] = { "은", "는", "을", "를", "된", "될" };

	for (size_t i = 0; i < sizeof sure / sizeof *sure; i++)
		if (strcmp(sure[i], ending) == 0)
			return true;
	return false;
}

const char *
word_stem_hangul(char *out, const char *word, size_t len, double *weight)
{
	const struct word *w;
	bool verb = false;

	if (len >= WORD_MAX)
		len = WORD_MAX - 1 - (WORD_MAX - 1) % SYLLABLE;
	memcpy(out, word, len);
	out[len] = '\0';
	if (denies(out)) {
		*weight = DENIES;
		return out;
	}
	w = find_word(hangul, sizeof hangul / sizeof *hangul, out);
	for (size_t i = 0; w == NULL && i < sizeof endings / sizeof *endings; i++) {
		const struct ending *ending = &endings[i];
		size_t n = ending->len;

		if (!ends(out, len, ending->s, n))
			continue;
		if (len == n) { /* the particle of a word in other letters: KV를 */
			*weight = 0;
			return out;
		}
		if (n == SYLLABLE && len == n + SYLLABLE && !is_sure(ending->s))
			continue; /* 원가, 증가, 속도, 결과 are words */
		len -= n;
		verb = ends(ending->s, n, "다", SYLLABLE) || ends(ending->s, n, "면", SYLLABLE);
		break;
	}
	out[len] = '\0';
	if (verb)
		open_syllable(out, len);
	if (w == NULL)
		w = find_word(hangul, sizeof hangul / sizeof *hangul, out);
	return judge(w, out, weight);
}
