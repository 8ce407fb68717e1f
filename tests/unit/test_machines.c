/*
 * The shipped records of accelerators and tiers against twenty-four ways in which published
 * specifications mislead: each value is typed in here with how it follows from what was printed.
 */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "cli/images.h"
#include "db/db.h"
#include "kb/kb.h"
#include "kb/profile.h"
#include "quantity/quantity.h"
#include "sizing/formulas.h"
#include "sql.h"

#define T 1e12
#define G 1e9
#define MIB 1048576.0
#define GIB 1073741824.0

static struct kb *kb;
static struct arena arena = ARENA_INIT;

static const struct val *
record(const char *id)
{
	struct err e = ERR_INIT;
	struct val *body;

	if (kb_record(&body, kb, &arena, id, NULL, &e) != OK)
		fail_msg("%s", e.text);
	return body;
}

/* The figure at `path` in base units; 0 where the record has none, which no figure of these is. */
static double
figure(const char *id, const char *path)
{
	const char *text = val_text(val_path(record(id), path));
	struct quantity q;

	if (text == NULL)
		return 0;
	if (quantity_parse(&q, text, strlen(text), DIM_ANY) != NULL)
		fail_msg("%s: %s: `%s`", id, path, text);
	return q.value;
}

static void
is(const char *id, const char *path, double expected)
{
	double found = figure(id, path);

	if (fabs(found - expected) > 1e-9 * fabs(expected))
		fail_msg("%s: %s: expected %.10g, found %.10g", id, path, expected, found);
}

static void
is_within(double found, double expected, double tolerance, const char *what)
{
	if (!(fabs(found - expected) <= tolerance * fabs(expected)))
		fail_msg("%s: expected %.6g, found %.6g", what, expected, found);
}

static void
reads(const char *id, const char *path, const char *expected)
{
	const char *found = val_text(val_path(record(id), path));

	assert_non_null(found);
	assert_string_equal(found, expected);
}

static void
sparse_figures_are_halved(void **state)
{
	(void)state;
	/* The product page of H100 prints 1979 and 3958 with a footnote on sparsity; L4 485; RTX 5090 3352. */
	is("nvidia-h100-sxm", "dense_peak.bf16", 989 * T);
	is("nvidia-h100-sxm", "dense_peak.fp8", 3958 * T / 2);
	is("nvidia-l4", "dense_peak.int8", 485 * T / 2);
	is("nvidia-rtx-5090", "dense_peak.fp4", 3352 * T / 2);
}

static void
sparse_called_dense_by_others(void **state)
{
	(void)state;
	is("nvidia-jetson-agx-orin-64gb", "dense_peak.int8", 275 * T / 2); /* two accelerators and the GPU */
}

static void
sparsity_is_not_always_twice(void **state)
{
	(void)state;
	is("nvidia-b300-sxm", "dense_peak.fp4", 108e15 / 8); /* of a board of eight; sparse 144 is 18 each */
	is("aws-trainium3", "dense_peak.bf16", 671 * T);     /* sparse 2517, its dense eight-bit figure */
	is("aws-trainium3", "dense_peak.fp8", 2517 * T);
}

static void
one_number_with_two_meanings(void **state)
{
	(void)state;
	is("amd-mi355x", "dense_peak.fp4", 10100 * T); /* dense; printed again as sparse fp8 */
	is("amd-mi355x", "dense_peak.fp8", 5000 * T);
}

static void
accumulation_in_full_precision(void **state)
{
	(void)state;
	is("nvidia-rtx-5090", "dense_peak.fp8", 419 * T); /* 838 with fp16 accumulation */
	is("nvidia-rtx-4090", "dense_peak.fp8", 330.3 * T); /* 660.6 */
}

static void
fewer_bits_are_not_always_faster(void **state)
{
	(void)state;
	is("google-tpu-v5p", "dense_peak.fp8", 459 * T);
	is("google-tpu-v5p", "dense_peak.bf16", 459 * T);
	is("google-tpu-v6e", "dense_peak.fp8", 918 * T);
	is("google-tpu-v6e", "dense_peak.bf16", 918 * T);
	is("aws-trainium3", "dense_peak.fp4", 2517 * T);
	is("intel-gaudi3", "dense_peak.fp8", figure("intel-gaudi3", "dense_peak.bf16"));
	/* B200 4500, B300 a thirtieth of it by some sources: no figure rather than one scaled by bits */
	assert_true(figure("nvidia-b300-sxm", "dense_peak.int8") == 0);
}

static void
clocks_that_ship(void **state)
{
	(void)state;
	/* clock x multiply-adds a cycle and unit x units x 2; the white paper of Gaudi 3 prints 1835 */
	is_within(figure("intel-gaudi3", "dense_peak.bf16"), 1600e6 * 256 * 256 * 8 * 2, 1e-3, "Gaudi 3");
	is_within(figure("nvidia-h100-sxm", "dense_peak.bf16"), 1830e6 * 512 * 528 * 2, 1e-3, "H100");
}

static void
capacity_as_the_driver_shows_it(void **state)
{
	(void)state;
	is("nvidia-h100-sxm", "memory.visible", 81559 * MIB);  /* "80 GB" is 85.5e9 */
	is("nvidia-h200-sxm", "memory.visible", 143771 * MIB); /* "141 GB" */
	is("nvidia-b200-sxm", "memory.visible", 183359 * MIB); /* "180" in GiB and "192" in GB */
	is("nvidia-rtx-4090", "memory.visible", 24564 * MIB);  /* "24 GB" is 25.8e9, and less than 24 GiB */
	is("nvidia-rtx-5090", "memory.visible", 32607 * MIB);
	is("amd-mi300x", "memory.visible", 192 * GIB - 16 * MIB);
	/* What a framework sees is less, and what is printed is no bound of either. */
	is("nvidia-h100-sxm", "memory.framework", 79.18 * GIB);
	is("nvidia-h200-sxm", "memory.framework", 139.81 * GIB);
	assert_true(figure("nvidia-h100-sxm", "memory.framework") < 81559 * MIB);
	assert_true(figure("nvidia-h200-sxm", "memory.framework") < 143771 * MIB);
	is("nvidia-h100-sxm", "memory.printed", 80 * G);
	is("nvidia-a100-80gb-sxm", "memory.visible", 80 * GIB);
}

static void
binary_bandwidth(void **state)
{
	(void)state;
	is("aws-trainium1", "memory.bandwidth", 820 * GIB); /* 0.8 TB/s elsewhere: a tenth apart */
	is("aws-inferentia2", "memory.bandwidth", 820 * GIB);
}

static void
capacities_of_one_name(void **state)
{
	(void)state;
	is("google-tpu-v5p", "memory.printed", 95 * GIB); /* the book prints 96 GB */
	is("nvidia-b300-sxm", "memory.printed", 270 * G); /* marketing 288 */
	is("nvidia-gb200", "memory.printed", 186 * G);    /* marketing 192 */
	is("nvidia-gh200-96gb", "memory.printed", 96 * G);
	is("nvidia-gh200-141gb", "memory.printed", 141 * G);
}

static void
bandwidth_before_rounding(void **state)
{
	(void)state;
	/* data sheets round to 8 TB/s; 7,680 bits x 3,996 MHz, twice a cycle, are 7.67 */
	is_within(figure("nvidia-b200-sxm", "memory.bandwidth"), 7680 / 8.0 * 3996e6 * 2, 5e-3, "B200");
}

static void
packages_of_several_devices(void **state)
{
	(void)state;
	/* One package of MI250X is two devices of 64 GiB, 1.64 TB/s and 191.5 TFLOP/s. */
	is("amd-mi250x", "devices_per_package", 2);
	is("amd-mi250x", "memory.printed", 2 * 64 * GIB);
	is("amd-mi250x", "memory.bandwidth", 2 * 1.64 * T);
	is("amd-mi250x", "dense_peak.bf16", 2 * 191.5 * T);
	is("amd-mi250", "devices_per_package", 2);
	is("google-tpu7x", "devices_per_package", 2);
}

static void
boards_of_several_chips(void **state)
{
	(void)state;
	is("qualcomm-ai100-ultra", "devices_per_package", 4);
	is("qualcomm-ai100-ultra", "memory.printed", 4 * 32 * G);
	is("qualcomm-ai100-ultra", "memory.bandwidth", 4 * 137 * G);
	is_within(figure("nvidia-h100-nvl", "memory.bandwidth"), 7.8 * T / 2, 0.01, "of a pair");
	is("nvidia-h100-nvl", "memory.printed", 188 * G / 2);
	is("nvidia-gb200", "memory.printed", 372 * G / 2); /* of a superchip */
	is("nvidia-gb200", "link.node", 4);
}

static void
links_in_one_direction(void **state)
{
	(void)state;
	is("nvidia-h100-sxm", "link.per_direction", 900 * G / 2);
	is("nvidia-h200-sxm", "link.per_direction", 900 * G / 2);
	is("nvidia-a100-80gb-sxm", "link.per_direction", 600 * G / 2);
	is("nvidia-b200-sxm", "link.per_direction", 1800 * G / 2);
	is("google-tpu-v5e", "link.per_direction", 1600 * G / 8); /* also printed as 400 GB/s both ways */
	is("google-tpu-v5e", "link.per_direction", 400 * G / 2);
	is("microsoft-maia-200", "link.per_direction", 2.8 * T / 2);
	is("nvidia-h100-sxm", "network.per_direction", 400 * G / 8); /* an adapter of 400 Gb/s */
}

static void
bytes_not_bits(void **state)
{
	(void)state;
	/* 1,200 GB/s both ways; the press printed 1.2 Tb/s, an eighth */
	is("google-tpu7x", "link.per_direction", 1200 * G / 2);
	is("google-tpu7x", "link.pairwise", 600 * G / 6); /* six neighbours */
}

static void
a_direction_not_declared_is_said_to_be(void **state)
{
	const struct val *findings = val_get(record("aws-neuron-hardware"), "findings");
	bool said = false;

	(void)state;
	is("aws-trainium2", "link.per_direction", 1280 * G / 2);
	for (size_t i = 0; i < val_count(findings); i++) {
		const struct val *f = findings->list.items[i];
		const char *conditions = val_text(val_path(f, "conditions.en"));

		if (strcmp(val_get_text(f, "id"), "trainium2-link") == 0)
			said = conditions != NULL && strstr(conditions, "does not declare the direction") != NULL;
	}
	assert_true(said);
}

static void
one_peer_is_not_all_of_them(void **state)
{
	(void)state;
	is("amd-mi300x", "link.per_direction", 448 * G);
	is("amd-mi300x", "link.pairwise", 448 * G / 7);
	is("amd-mi355x", "link.pairwise", 535.5 * G / 7);
	is("intel-gaudi3", "link.pairwise", 3 * 200 * G / 8); /* three ports of 200 Gb/s to a peer */
	is("intel-gaudi3", "link.per_direction", 7 * figure("intel-gaudi3", "link.pairwise"));
	is("intel-gaudi3", "network.per_direction", 3 * 200 * G / 8); /* and three leave the server */
	assert_true(figure("nvidia-h100-sxm", "link.pairwise") == 0); /* a switch gives one peer all */
}

static void
the_host_link_as_measured(void **state)
{
	struct sizing_tier tier;
	double units;

	(void)state;
	/* PCIe Gen5 x16: 63 GB/s on paper, 55.4 measured. A copy over it runs at what was measured. */
	is("ddr5-rdimm", "read.headline", 63 * G);
	is_within(figure("ddr5-rdimm", "read.sustained"), 55.4 * G, 1e-3, "over the host's link");
	profile_tier(&tier, &units, record("ddr5-rdimm"), 1, 0);
	is_within(tier.read_bandwidth / (63 * G), 0.88, 1e-3, "share of the wire");
}

static void
a_mix_of_reads_and_writes_is_no_read_rate(void **state)
{
	struct sizing_tier tier;
	double units;

	(void)state;
	/* 36 GB/s are advertised with a third of writes; eight lanes of Gen5 carry 32 one way */
	is("cxl-type3", "read.headline", 36 * G);
	profile_tier(&tier, &units, record("cxl-type3"), 1, 0);
	assert_true(tier.read_bandwidth > 0 && tier.read_bandwidth <= 32 * G);
}

static void
latency_is_the_total(void **state)
{
	double local = figure("ddr5-rdimm", "latency"), cxl = figure("cxl-type3", "latency");

	(void)state;
	/* 214 to 394 ns are load latencies in all, 111 to 117 those of local memory: nothing is added */
	assert_true(cxl >= 214e-9 && cxl <= 394.0001e-9);
	assert_true(local >= 111e-9 && local <= 117.0001e-9);
}

static void
peaks_are_not_reached(void **state)
{
	static const struct {
		const char *id, *dtype;
		double share;
	} rows[] = {
		{ "nvidia-h100-sxm", "bf16", 0.803 }, /* 794.5 of 989 */
		{ "nvidia-b200-sxm", "bf16", 0.776 }, /* 1745 of 2250 */
		{ "amd-mi300x", "bf16", 0.511 },      /* 668.4 of 1307.4 */
		{ "intel-gaudi3", "bf16", 0.741 },    /* 1243 of 1677 */
		{ "intel-gaudi2", "bf16", 0.969 },    /* 418.7 of 432 */
		{ "nvidia-h100-sxm", "fp8", 0.709 },  /* 1402.6 of 1979 */
		{ "nvidia-b200-sxm", "fp8", 0.763 },  /* 3432.5 of 4500 */
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double achieved = figure(rows[i].id, arena_printf(&arena, "achieved.%s", rows[i].dtype));
		double peak = figure(rows[i].id, arena_printf(&arena, "dense_peak.%s", rows[i].dtype));

		is_within(achieved / peak, rows[i].share, 2e-3, rows[i].id);
	}
}

static void
power_has_a_term(void **state)
{
	(void)state;
	is("amd-mi250x", "power", 560);         /* the peak; 500 is its design power */
	is("microsoft-maia-100", "power", 700); /* designed for; provisioned at 500 */
	is("furiosa-rngd", "power", 180);       /* 150 on older pages */
}

static void
errors_of_public_data_files(void **state)
{
	(void)state;
	reads("nvidia-l4", "memory.kind", "GDDR6"); /* HBM2e in one */
	reads("nvidia-rtx-pro-6000-ws", "memory.kind", "GDDR7");
	reads("nvidia-l40s", "link.kind", "PCIe Gen4"); /* NVLink in one */
	is("nvidia-l40s", "link.domain", 1);
	is("google-tpu-v6e", "dense_peak.bf16", 918 * T);
	is("aws-trainium2", "dense_peak.bf16", 667 * T);
}

static void
formats_that_only_sound_alike(void **state)
{
	(void)state;
	/* 3 POPS in six bits and 1.5 in nine are no fp4 and no fp8 */
	assert_true(figure("microsoft-maia-100", "dense_peak.fp4") == 0);
	assert_true(figure("microsoft-maia-100", "dense_peak.fp8") == 0);
}

/*
 * Tokens from which a matrix is compute-bound: operations / bandwidth x bytes a weight / 2. The
 * three columns: 16-bit weights and operations, fp8 weights and operations, 8-bit weights with
 * 16-bit operations; 0 where there is no such peak. By hand from the figures in the comment
 * (TFLOP/s bf16 or fp16, fp8; TB/s).
 */
static const struct {
	const char *id;
	double wide, fp8, narrow;
} CRITICAL[] = {
	{ "nvidia-a100-40gb-sxm", 200.6, 0, 100.3 },         /* 312; 1.555 */
	{ "nvidia-a100-80gb-sxm", 153.0, 0, 76.5 },          /* 312; 2.039 */
	{ "nvidia-h100-sxm", 295.3, 295.4, 147.7 },          /* 989, 1979; 3.35 */
	{ "nvidia-h100-pcie", 378.0, 378.2, 189.0 },         /* 756, 1513; 2 */
	{ "nvidia-h100-nvl", 212.2, 212.1, 106.1 },          /* 835.5, 1670.5; 3.938 */
	{ "nvidia-h200-sxm", 206.0, 206.1, 103.0 },          /* 989, 1979; 4.8 */
	{ "nvidia-b200-sxm", 292.2, 292.2, 146.1 },          /* 2250, 4500; 7.7 */
	{ "nvidia-gb200", 306.2, 306.2, 153.1 },             /* 2450, 4900; 8 */
	{ "nvidia-b300-sxm", 292.2, 292.2, 146.1 },          /* 2250, 4500; 7.7 */
	{ "nvidia-gb300", 306.2, 306.2, 153.1 },             /* 2450, 4900; 8 */
	{ "nvidia-l4", 403.3, 404.2, 201.7 },                /* 121, 242.5; 0.3 */
	{ "nvidia-l40s", 419.0, 424.2, 209.5 },              /* 362, 733; 0.864 */
	{ "nvidia-rtx-pro-6000-ws", 281.1, 0, 140.6 },       /* 503.8; 1.792 */
	{ "nvidia-rtx-4090", 163.9, 163.8, 81.9 },           /* 165.2, 330.3; 1.008 */
	{ "nvidia-rtx-5090", 116.9, 116.9, 58.5 },           /* 209.5, 419; 1.792 */
	{ "nvidia-jetson-orin-nano-super", 166.7, 0, 83.3 }, /* 17; 0.102 */
	{ "nvidia-jetson-thor-t5000", 946.9, 0, 473.4 },     /* 258.5; 0.273 */
	{ "amd-mi250x", 116.8, 0, 58.4 },                    /* 383; 3.28 */
	{ "amd-mi300x", 246.7, 246.7, 123.3 },               /* 1307.4, 2614.9; 5.3 */
	{ "amd-mi325x", 216.7, 217.5, 108.3 },               /* 1300, 2610, as rounded by the source; 6 */
	{ "amd-mi350x", 288.4, 288.4, 144.2 },               /* 2306.9, 4613.7; 8 */
	{ "amd-mi355x", 312.5, 312.5, 156.2 },               /* 2500, 5000; 8 */
	{ "google-tpu-v4", 229.2, 0, 114.6 },                /* 275; 1.2 */
	{ "google-tpu-v5e", 240.2, 0, 120.1 },               /* 197; 0.82, as the book has it */
	{ "google-tpu-v5p", 166.0, 83.0, 83.0 },             /* 459, 459; 2.765 */
	{ "google-tpu-v6e", 560.4, 280.2, 280.2 },           /* 918, 918; 1.638 */
	{ "google-tpu7x", 312.6, 312.6, 156.3 },             /* 2307, 4614; 7.38 */
	{ "aws-trainium1", 215.8, 0, 107.9 },                /* 190; 0.8805: 820 GiB/s */
	{ "aws-trainium2", 230.0, 224.0, 115.0 },            /* 667, 1299; 2.9 */
	{ "aws-trainium3", 136.9, 256.8, 68.5 },             /* 671, 2517; 4.9 */
	{ "aws-inferentia2", 215.8, 0, 107.9 },              /* 190; 0.8805 */
	{ "intel-gaudi2", 175.6, 175.8, 87.8 },              /* 432, 865; 2.46 */
	{ "intel-gaudi3", 453.2, 226.6, 226.6 },             /* 1677, at the clock that ships; 3.7 */
	{ "microsoft-maia-100", 444.4, 0, 222.2 },           /* 800; 1.8 */
	{ "microsoft-maia-200", 0, 362.3, 0 },               /* 5072; 7 */
	{ "groq-lpu-v1", 2.35, 0, 1.175 },                   /* 188; 80 */
	{ "furiosa-rngd", 170.7, 170.7, 85.3 },              /* 256, 512; 1.5 */
	{ "rebellions-rebel100", 213.3, 213.3, 106.7 },      /* 1024, 2048; 4.8 */
	{ "qualcomm-ai100-ultra", 529.2, 0, 264.6 },         /* 290; 0.548 */
};

static void
critical_batches(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof CRITICAL / sizeof *CRITICAL; i++) {
		const char *id = CRITICAL[i].id;
		double bandwidth = figure(id, "memory.bandwidth"), eight = figure(id, "dense_peak.fp8");
		double sixteen = fmax(figure(id, "dense_peak.bf16"), figure(id, "dense_peak.fp16"));

		assert_true((sixteen > 0) == (CRITICAL[i].wide > 0));
		if (sixteen > 0) {
			is_within(sizing_critical_batch(sixteen, bandwidth, 16, 0, 0), CRITICAL[i].wide, 5e-3, id);
			is_within(sizing_critical_batch(sixteen, bandwidth, 8, 0, 0), CRITICAL[i].narrow, 5e-3, id);
		}
		if (CRITICAL[i].fp8 > 0)
			is_within(sizing_critical_batch(eight, bandwidth, 8, 0, 0), CRITICAL[i].fp8, 5e-3, id);
	}
}

/* What holds of every accelerator, whatever its figures. */
static void
accelerators_are_consistent(void **state)
{
	struct err e = ERR_INIT;
	struct val *rows;

	(void)state;
	assert_int_equal(db_rows(&rows, &arena, kb_db(kb), KB_LIST, &e, "ss", "accelerator", "en"), OK);
	assert_true(val_count(rows) >= 48);
	for (size_t i = 0; i < val_count(rows); i++) {
		const char *id = val_get_text(rows->list.items[i], "id");

		/* nothing measured exceeds its peak, and one peer never gets more than all */
		if (figure(id, "achieved.bf16") > figure(id, "dense_peak.bf16") ||
		    figure(id, "achieved.fp8") > figure(id, "dense_peak.fp8") ||
		    figure(id, "achieved.bandwidth") > figure(id, "memory.bandwidth") ||
		    figure(id, "link.pairwise") > figure(id, "link.per_direction"))
			fail_msg("%s: a part exceeds the whole", id);
		/* a server stands within one scale-up domain, and the way out of it is no faster */
		if (figure(id, "link.domain") > 1 && figure(id, "link.node") > figure(id, "link.domain"))
			fail_msg("%s: a server larger than its scale-up domain", id);
		if (figure(id, "network.per_direction") > figure(id, "link.per_direction"))
			fail_msg("%s: a network faster than the link", id);
	}
	assert_int_equal(db_rows(&rows, &arena, kb_db(kb), KB_LIST, &e, "ss", "tier", "en"), OK);
	assert_true(val_count(rows) >= 22);
}

static int
open_knowledge(void **state)
{
	struct err e = ERR_INIT;

	(void)state;
	return kb_open(&kb, image_knowledge, (size_t)image_knowledge_len, &e) == OK ? 0 : -1;
}

static int
close_knowledge(void **state)
{
	(void)state;
	kb_close(kb);
	arena_release(&arena);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sparse_figures_are_halved),
		cmocka_unit_test(sparse_called_dense_by_others),
		cmocka_unit_test(sparsity_is_not_always_twice),
		cmocka_unit_test(one_number_with_two_meanings),
		cmocka_unit_test(accumulation_in_full_precision),
		cmocka_unit_test(fewer_bits_are_not_always_faster),
		cmocka_unit_test(clocks_that_ship),
		cmocka_unit_test(capacity_as_the_driver_shows_it),
		cmocka_unit_test(binary_bandwidth),
		cmocka_unit_test(capacities_of_one_name),
		cmocka_unit_test(bandwidth_before_rounding),
		cmocka_unit_test(packages_of_several_devices),
		cmocka_unit_test(boards_of_several_chips),
		cmocka_unit_test(links_in_one_direction),
		cmocka_unit_test(bytes_not_bits),
		cmocka_unit_test(a_direction_not_declared_is_said_to_be),
		cmocka_unit_test(one_peer_is_not_all_of_them),
		cmocka_unit_test(the_host_link_as_measured),
		cmocka_unit_test(a_mix_of_reads_and_writes_is_no_read_rate),
		cmocka_unit_test(latency_is_the_total),
		cmocka_unit_test(peaks_are_not_reached),
		cmocka_unit_test(power_has_a_term),
		cmocka_unit_test(errors_of_public_data_files),
		cmocka_unit_test(formats_that_only_sound_alike),
		cmocka_unit_test(critical_batches),
		cmocka_unit_test(accelerators_are_consistent),
	};

	return cmocka_run_group_tests(tests, open_knowledge, close_knowledge);
}
