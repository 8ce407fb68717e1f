/*
 * Stems, and what words say. The tables are about AI memory: the words that stand in nearly
 * every sentence of the subject tell little of one claim from another.
 */
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

/* By the stem as word_stem_latin makes it: at most six letters. */
static const struct word latin[] = {
	{ "a", NULL, 'n' }, { "about", NULL, 'n' }, { "also", NULL, 'n' }, { "an", NULL, 'n' },
	{ "and", NULL, 'n' }, { "any", NULL, 'n' }, { "are", NULL, 'n' }, { "around", NULL, 'n' },
	{ "as", NULL, 'n' }, { "at", NULL, 'n' }, { "be", NULL, 'n' }, { "been", NULL, 'n' },
	{ "betwee", NULL, 'n' }, { "but", NULL, 'n' }, { "by", NULL, 'n' }, { "can", NULL, 'n' },
	{ "for", NULL, 'n' }, { "from", NULL, 'n' }, { "has", NULL, 'n' }, { "hav", NULL, 'n' },
	{ "in", NULL, 'n' }, { "into", NULL, 'n' }, { "is", NULL, 'n' }, { "it", NULL, 'n' },
	{ "its", NULL, 'n' }, { "may", NULL, 'n' }, { "of", NULL, 'n' }, { "off", NULL, 'n' },
	{ "on", NULL, 'n' }, { "onto", NULL, 'n' }, { "only", NULL, 'n' }, { "or", NULL, 'n' },
	{ "re", NULL, 'n' }, { "s", NULL, 'n' }, { "som", NULL, 'n' }, { "than", NULL, 'n' },
	{ "that", NULL, 'n' }, { "the", NULL, 'n' }, { "their", NULL, 'n' }, { "them", NULL, 'n' },
	{ "they", NULL, 'n' }, { "to", NULL, 'n' }, { "up", NULL, 'n' }, { "was", NULL, 'n' },
	{ "wer", NULL, 'n' }, { "wil", NULL, 'n' }, { "with", NULL, 'n' }, { "when", NULL, 'n' },
	{ "under", NULL, 'n' }, { "which", NULL, 'n' }, { "whil", NULL, 'n' }, { "you", NULL, 'n' },
	{ "your", NULL, 'n' }, { "approx", NULL, 'n' }, { "roughl", NULL, 'n' },
	{ "just", NULL, 'n' }, { "thos", NULL, 'n' }, { "thi", NULL, 'n' }, { "not", NULL, 'd' },
	{ "no", NULL, 'd' }, { "never", NULL, 'd' }, { "neithe", NULL, 'd' },
	{ "cannot", NULL, 'd' }, { "nothin", NULL, 'd' }, { "doesn", NULL, 'd' },
	{ "isn", NULL, 'd' }, { "don", NULL, 'd' }, { "won", NULL, 'd' }, { "aren", NULL, 'd' },
	{ "withou", NULL, 'd' }, { "non", NULL, 'd' }, { "one", "#", 'h' }, { "two", "#", 'h' },
	{ "four", "#", 'h' }, { "fiv", "#", 'h' }, { "six", "#", 'h' }, { "seven", "#", 'h' },
	{ "eight", "#", 'h' }, { "nin", "#", 'h' }, { "ten", "#", 'h' }, { "twelv", "#", 'h' },
	{ "hundre", "#", 'h' }, { "half", "%", 'l' }, { "third", "%", 'l' }, { "quarte", "#", 'h' },
	{ "fifth", "%", 'l' }, { "percen", "%", 'l' }, { "tim", "time", 'l' }, { "x", "time", 'l' },
	{ "fold", "time", 'l' }, { "gb", NULL, 'h' }, { "tb", NULL, 'h' }, { "year", NULL, 'l' },
	{ "annual", "year", 'l' }, { "yearl", "year", 'l' }, { "month", NULL, 'l' },
	{ "memori", NULL, 'l' }, { "gpu", NULL, 'l' }, { "kv", NULL, 'l' }, { "cach", NULL, 'h' },
	{ "kvcach", "kv", 'l' }, { "infere", NULL, 'l' }, { "serv", "infere", 'l' },
	{ "llm", NULL, 'l' }, { "larg", NULL, 'h' }, { "model", NULL, 'h' }, { "ai", NULL, 'l' },
	{ "token", NULL, 'l' }, { "hbm", NULL, 'm' }, { "dram", NULL, 'l' }, { "ram", NULL, 's' },
	{ "ssd", NULL, 'l' }, { "nvm", "ssd", 'l' }, { "flash", "ssd", 'l' },
	{ "accele", NULL, 'l' }, { "devic", NULL, 'l' }, { "part", NULL, 'l' },
	{ "shar", NULL, 'l' }, { "second", NULL, 'l' }, { "per", NULL, 'h' }, { "tier", NULL, 'l' },
	{ "contex", NULL, 'l' }, { "power", NULL, 'l' }, { "comput", NULL, 'l' },
	{ "all", NULL, 'h' }, { "each", "year", 'h' }, { "every", NULL, 'h' },
	{ "tak", "take", 'l' }, { "occupi", "take", 'l' }, { "consum", "take", 'l' },
	{ "use", "take", 'l' }, { "need", NULL, 's' }, { "requir", "need", 's' },
	{ "run", NULL, 'l' }, { "cost", NULL, 'l' }, { "smartp", "phone", 'm' },
	{ "handse", "phone", 'm' }, { "phon", "phone", 'm' }, { "center", "centr", 'l' },
	{ "centr", NULL, 'l' }, { "data", NULL, 'l' }, { "datace", "centr", 'l' },
	{ "expend", "capex", 'm' }, { "capita", NULL, 'l' }, { "bom", "bill", 'm' },
	{ "materi", NULL, 'h' }, { "remain", "stay", 'm' }, { "alway", NULL, 'a' },
	{ "beat", "better", 'm' }, { "usual", "standa", 'l' }, { "normal", "standa", 'l' },
	{ "typica", "standa", 'l' }, { "standa", NULL, 'l' }, { "requal", "qualif", 'm' },
	{ "most", "larges", 'l' }, { "larges", NULL, 'l' }, { "bigges", "larges", 'l' },
	{ "win", "pay", 'm' }, { "car", "vehicl", 'l' }, { "thre", "#", 'h' },
	{ "langua", "llm", 'h' }, { "taken", "take", 'l' }, { "spend", "take", 'l' },
	{ "spent", "take", 'l' }, { "goe", "take", 'l' }, { "accoun", "take", 'l' },
	{ "moveme", "mov", 'm' }, { "figur", NULL, 'h' }, { "quote", NULL, 'h' },
	{ "robot", NULL, 'l' }, { "vehicl", NULL, 'l' }, { "automo", "vehicl", 'l' },
	{ "definit", NULL, 'l' }, { "defini", NULL, 'l' }, { "fix", NULL, 's' },
	{ "failur", "fail", 'm' }, { "lif", "last", 'm' }, { "lifeti", "last", 'm' },
	{ "lifesp", "last", 'm' }, { "expens", "pric", 'm' }, { "ris", NULL, 's' },
	{ "rose", "ris", 's' }, { "ros", "ris", 's' }, { "risen", "ris", 's' }, { "climb", "ris", 's' },
	{ "grow", "ris", 's' }, { "grew", "ris", 's' }, { "grown", "ris", 's' }, { "increa", "ris", 's' },
	{ "jump", "ris", 's' }, { "soar", "ris", 's' }, { "worth", "pay", 'm' }, { "payoff", "pay", 'm' },
	{ "invari", "alway", 'a' }, { "blow", "explod", 'm' }, { "skyroc", "explod", 'm' },
	{ "fiveti", "time", 'l' }, { "fivefo", "time", 'l' }, { "three", "#", 'h' },
	{ "tenth", "%", 'l' }, { "eighte", "#", 'h' }, { "nine", "#", 'h' }, { "capex", NULL, 'm' },
	{ "usuall", "standa", 'h' }, { "median", "p50", 'm' }, { "how", NULL, 'q' },
	{ "whethe", NULL, 'q' },
};

/* By the word without its particle or ending. */
static const struct word hangul[] = {
	{ "약", NULL, 'n' }, { "및", NULL, 'n' }, { "또는", NULL, 'n' }, { "또", NULL, 'n' },
	{ "그", NULL, 'n' }, { "이", NULL, 'n' }, { "것", NULL, 'n' }, { "수", NULL, 'n' },
	{ "때", NULL, 'n' }, { "등", NULL, 'n' }, { "더", NULL, 'n' }, { "각각", NULL, 'n' },
	{ "정도", NULL, 'n' }, { "가장", "larges", 'l' }, { "최대", NULL, 'n' },
	{ "대한", NULL, 'n' }, { "위해", NULL, 'n' }, { "그것도", NULL, 'n' }, { "되", NULL, 'n' },
	{ "하", NULL, 'n' }, { "있", NULL, 'n' }, { "시", NULL, 'n' }, { "중", NULL, 'n' },
	{ "한", "#", 'h' }, { "두", "#", 'h' }, { "세", "#", 'h' }, { "네", "#", 'h' },
	{ "다섯", "#", 'h' }, { "여섯", "#", 'h' }, { "열", "#", 'h' }, { "절반", "%", 'l' }, { "분", "%", 'l' },
	{ "몇", "#", 'h' }, { "퍼센트", "%", 'l' }, { "배", "time", 'l' }, { "초당", NULL, 'l' },
	{ "개월", NULL, 'l' }, { "년", "해", 'l' }, { "연간", "해", 'l' }, { "해마", "해", 'l' },
	{ "매년", "해", 'l' }, { "해", NULL, 'l' }, { "기간", "개월", 'l' },
	{ "토큰", "token", 'l' }, { "캐시", "cach", 'h' }, { "메모리", NULL, 'l' },
	{ "추론", NULL, 'l' }, { "모델", NULL, 'l' }, { "가속기", NULL, 'l' },
	{ "연산", NULL, 'l' }, { "소자", NULL, 'l' }, { "부품", NULL, 'l' }, { "비율", NULL, 'l' },
	{ "비중", "비율", 'l' }, { "차지", NULL, 'l' }, { "점유", "차지", 'l' },
	{ "사용", "차지", 'l' }, { "쓰", "차지", 'l' }, { "쓰이", "차지", 'l' },
	{ "소모", "차지", 'l' }, { "전체", NULL, 'h' }, { "모든", "전체", 'h' },
	{ "컨텍스트", NULL, 'l' }, { "계층", NULL, 'l' }, { "전력", NULL, 'l' },
	{ "성능", NULL, 'l' }, { "걸리", NULL, 'l' }, { "소요", "걸리", 'l' },
	{ "필요", NULL, 'l' }, { "실행", NULL, 'l' }, { "돌리", "실행", 'l' }, { "크", "큰", 'h' },
	{ "큰", NULL, 'h' }, { "부분", NULL, 'l' }, { "보통", NULL, 'l' }, { "통상", "보통", 'l' },
	{ "일반", "보통", 'l' }, { "늘어나", NULL, 's' }, { "증가", "늘어나", 's' },
	{ "커지", "늘어나", 's' }, { "바꾸", NULL, 'l' }, { "변경", "바꾸", 'l' },
	{ "교체", "바꾸", 'l' }, { "스마트폰", NULL, 'l' }, { "휴대폰", "스마트폰", 'l' },
	{ "폰", "스마트폰", 'l' }, { "온디바이스", NULL, 'l' }, { "하이퍼스케일러", NULL, 'l' },
	{ "항상", NULL, 'a' }, { "언제나", "항상", 'a' }, { "이익", "이득", 'm' },
	{ "유리", "이득", 'm' }, { "우수", "좋", 'l' }, { "앞서", "좋", 'l' }, { "좋", NULL, 'l' },
	{ "오프로딩", "오프로드", 'm' }, { "일정", NULL, 'l' }, { "데이터", NULL, 'l' },
	{ "센터", NULL, 'l' }, { "내리", "오프로드", 'm' }, { "압박", "부족", 'l' },
	{ "부족", NULL, 'l' }, { "그대로", NULL, 'm' }, { "유지", "그대로", 'm' },
	{ "모자라", "부족", 'l' }, { "흔히", NULL, 'h' }, { "인용", NULL, 'h' }, { "수치", NULL, 'h' },
	{ "주고받", "이동", 'm' }, { "오가", "이동", 'm' }, { "옮기", "이동", 'm' }, { "정해진", NULL, 'l' },
	{ "정해지", "정해진", 'l' }, { "차량", NULL, 'l' }, { "차량용", "차량", 'l' }, { "로봇", NULL, 'l' },
	{ "자동차", "차량", 'l' }, { "무조건", "항상", 'a' }, { "늘", "항상", 'a' }, { "오르", "늘어나", 's' },
	{ "올랐", "늘어나", 's' }, { "올라", "늘어나", 's' }, { "상승", "늘어나", 's' }, { "인상", "늘어나", 's' },
	{ "뛰", "늘어나", 's' }, { "급증", "폭증", 'm' }, { "치솟", "폭증", 'm' }, { "비싸", "가격", 'm' },
	{ "들어가", "차지", 'l' }, { "몫", "비율", 'l' }, { "낫", "좋", 'l' }, { "뛰어나", "좋", 'l' },
	{ "중앙값", "p50", 'm' }, { "확대", "늘어나", 's' }, { "대부분", "larges", 'l' },
	{ "얼마", NULL, 'q' }, { "얼마나", NULL, 'q' }, { "여부", NULL, 'q' },
};

/* From long to short, so that the longest that fits is taken. */
static const char *const endings[] = {
	"이었습니다", "하였습니다", "되었습니다", "했습니다", "됐습니다", "들었습니다", "입니다만",
	"이라고", "합니다", "됩니다", "입니다", "습니다", "하려면", "해지면", "으로써", "에서는",
	"에서의", "이지만", "하지만", "이므로", "하므로", "되므로", "이면", "하면", "되면", "이며",
	"하며", "되며", "이고", "하고", "되고", "인데", "하는", "되는", "하기", "되기", "해서",
	"하여", "되어", "했다", "됐다", "한다", "된다", "이다", "니다", "면서", "으면", "지면",
	"려면", "에서", "에게", "으로", "까지", "부터", "보다", "처럼", "마다", "이나", "에는",
	"에만", "로는", "라고", "다고", "려고", "는데", "지만", "용의", "은", "는", "이", "가",
	"을", "를", "의", "에", "로", "와", "과", "도", "만", "나", "할", "한", "된", "될", "인",
	"용", "며", "면", "고", "다",
};

static const struct word *
find_word(const struct word *table, size_t count, const char *stem)
{
	for (size_t i = 0; i < count; i++)
		if (table[i].stem[0] == stem[0] && table[i].stem[1] == stem[1] && strcmp(table[i].stem, stem) == 0)
			return &table[i];
	return NULL;
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
ends(const char *s, size_t len, const char *ending)
{
	size_t n = strlen(ending);

	return len >= n && memcmp(s + len - n, ending, n) == 0;
}

/* -ing, -ed, -ly, -s, a last e; then six letters. What is left need not be a word. */
const char *
word_stem_latin(char *out, const char *word, size_t len, double *weight)
{
	if (len >= WORD_MAX)
		len = WORD_MAX - 1;
	memcpy(out, word, len);
	if (len > 5 && ends(out, len, "ing"))
		len -= 3;
	else if (len > 4 && (ends(out, len, "ed") || ends(out, len, "ly")))
		len -= 2;
	else if (len > 3 && ends(out, len, "s") && !ends(out, len, "ss") && !ends(out, len, "us"))
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
		size_t n = strlen(endings[i]);

		if (!ends(out, len, endings[i]))
			continue;
		if (len == n) { /* the particle of a word in other letters: KV를 */
			*weight = 0;
			return out;
		}
		if (n == SYLLABLE && len == n + SYLLABLE && !is_sure(endings[i]))
			continue; /* 원가, 증가, 속도, 결과 are words */
		len -= n;
		verb = ends(endings[i], n, "다") || ends(endings[i], n, "면");
		break;
	}
	out[len] = '\0';
	if (verb)
		open_syllable(out, len);
	if (w == NULL)
		w = find_word(hangul, sizeof hangul / sizeof *hangul, out);
	return judge(w, out, weight);
}
