# A collection of N records for dossier load, below the folder DIR: 40 % sources, 50 % claims of which a
# tenth cites nothing (they are in quarantine, the only place for such), 10 % archetypes; every
# fifth record in Korean. Words are drawn unevenly from made-up vocabularies, so that
# texts are alike as texts of one subject are. Same N, same bytes.
#
#     awk -v N=10000 -v DIR=/tmp/kb -f tests/bench/collection.awk

function random(n) { # 0 .. n-1; Lehmer's generator, the same in every awk
	seed = (seed * 16807) % 2147483647
	return seed % n
}
function pick(n, r) { # words of low rank are drawn more often
	r = random(10000) / 10000
	return 1 + int(n * r * r * r)
}
function vocabularies(i, k, w, n, first, last, hangul, nh) {
	n = split("ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zu bran cle dri flo gro pla ste tri", first, " ")
	k = split("n r s t l m nd rk st x", last, " ")
	for (i = 1; i <= 4000; i++) {
		w = first[1 + random(n)] first[1 + random(n)] (random(2) ? first[1 + random(n)] : "") last[1 + random(k)]
		english[i] = w
	}
	nh = split("가 나 다 라 마 바 사 아 자 차 카 타 파 하 거 너 더 러 머 버 서 어 저 처 고 노 도 로 모 보 소 오 조 초 구 누 두 루 무 부 수 우 주 추 기 니 디 리 미 비 시 용 량 장 산 감 보 안 정 전 력 절 집 험", hangul, " ")
	for (i = 1; i <= 3000; i++)
		korean[i] = hangul[1 + random(nh)] hangul[1 + random(nh)] (random(2) ? hangul[1 + random(nh)] : "")
	korean[7] = "비용"
	np = split("은 는 이 가 을 를 의 에서 으로 와", particle, " ")
}
function text(words, extra, s, i) { # one or two sentences; `extra` stands in the middle
	s = ""
	for (i = 1; i <= words; i++) {
		if (i == int(words / 2) && extra != "")
			s = s " " extra
		if (ko)
			s = s " " korean[pick(3000)] particle[1 + random(np)]
		else
			s = s " " english[pick(4000)]
	}
	return "{" (ko ? "ko" : "en") ": \"" substr(s, 2) ".\"}"
}
function source(i, file, k) {
	file = DIR "/evidence/documents/src-" i ".yaml"
	printf "id: src-%d\ntitle: \"%s\"\npublisher: \"%s\"\nkind: paper\npublished: 2026-0%d\naccessed: 2026-11-29\nreview_by: 2027-%02d-28\nurl: \"https://example.org/%d\"\ngrade: %s\nextent_read: \"full\"\nfindings:\n", \
		i, english[pick(4000)] " " english[pick(4000)], english[pick(4000)], 1 + random(9), 1 + random(12), i, substr("AABBC", 1 + random(5), 1) > file
	for (k = 1; k <= 2; k++) {
		printf "- id: f%d\n  says: %s\n  locator: \"section %s\"\n", k, text(12, k == 1 ? "${value}" : ""), english[pick(4000)] > file
		if (k == 1)
			printf "  value: %d %%\n  conditions: %s\n", 1 + i % 97, text(7, "") > file
		printf "  status: verified\n" > file
	}
	close(file)
}
function claim(i, file, s, a) {
	s = (i * 7) % S; a = i % A
	file = DIR "/claims/sourced/claim-" i ".yaml"
	printf "id: claim-%d\narchetypes: [arch-%d]\nbecause: [arch-%d.metrics.m]\nstatement: %s\n", i, a, a, text(16, "") > file
	printf "evidence:\n- {finding: src-%d.f1, relation: supports}\n- {finding: src-%d.f2, relation: %s}\nconditions: %s\n", s, (s + 1) % S, i % 9 ? "supports" : "qualifies", text(9, "") > file
	close(file)
}
function withheld(i, file) {
	file = DIR "/claims/quarantine/q-" sprintf("%02d", 100 + i) ".yaml"
	printf "id: q-%02d\narchetypes: [arch-%d]\nstatement: %s\ncirculates: %s\nsearched:\n- {where: \"pages\", query: \"%s\", on: 2026-11-29, outcome: %s}\nnot_enough: %s\nwould_release: %s\nsay_instead: claim-%d\n", \
		100 + i, i % A, text(14, ""), text(10, ""), english[pick(4000)], text(9, ""), text(10, ""), text(10, ""), i % C > file
	close(file)
}
function archetype(i, file, basis) {
	file = DIR "/archetypes/arch-" i ".yaml"
	basis = "basis: {evidenced: [src-" (i * 3) % S ".f2]}"
	printf "id: arch-%d\nname: %s\nquantitative: yes\nsummary: %s\nstructure:\n  approvers:\n  - {id: a, role: %s, signs: %s, %s}\n  metrics:\n  - {id: m, name: %s, measures: %s, %s}\n  non_negotiables:\n  - {id: n, what: %s, %s}\n  cycle:\n    length: %s\n    %s\n    gates:\n    - {id: g, name: %s, decides: %s, %s}\n", \
		i, text(3, ""), text(20, ""), text(4, ""), text(12, ""), basis, text(4, ""), text(10, ""), basis, text(10, ""), basis, text(8, ""), basis, text(4, ""), text(8, ""), basis > file
	printf "pains: [claim-%d]\nobjections:\n- {id: o, because: [arch-%d.approvers.a], when: {always: yes}, says: %s, answer: %s, right_when: %s, evidence: [{finding: src-%d.f2, relation: supports}]}\nloss_reasons:\n- {id: l, because: [arch-%d.metrics.m], reason: %s, instead: %s, %s}\n", \
		i, i, text(12, ""), text(20, ""), text(12, ""), (i * 5) % S, i, text(12, ""), text(12, ""), basis > file
	printf "positions: []\nreference_workload: {}\n" > file
	close(file)
}
BEGIN {
	seed = 20261129
	vocabularies()
	S = int(N * 4 / 10); A = int(N / 10); Q = int(N / 20); C = N - S - A - Q
	system("mkdir -p '" DIR "/archetypes' '" DIR "/claims/sourced' '" DIR "/claims/quarantine' '" DIR "/evidence/documents'")
	for (i = 0; i < S; i++) { ko = i % 5 == 0; source(i) }
	for (i = 0; i < C; i++) { ko = i % 5 == 1; claim(i) }
	for (i = 0; i < Q; i++) { ko = i % 5 == 2; withheld(i) }
	for (i = 0; i < A; i++) { ko = i % 5 == 3; archetype(i) }
}
