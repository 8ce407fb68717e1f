# dossier: `make demo` shows it, `make test` tests it, `make help` lists the rest.
#
# Objects go to $(BUILD); a variant (sanitizers, coverage) is a call of make with another BUILD,
# so that they never mix. The program is built twice: dossier-boot without content compiles the
# YAML of this folder into two databases, and those are linked into dossier.

NAME     = dossier
VERSION := $(shell sed -n 's/^\#define DOSSIER_VERSION "\(.*\)"/\1/p' src/cli/version.h)
BUILD   ?= build
PREFIX  ?= /usr/local
BINDIR  ?= $(PREFIX)/bin
MANDIR  ?= $(PREFIX)/share/man
COMPDIR ?= $(PREFIX)/share
DESTDIR ?=

CFLAGS  ?= -O2 -g
PKGS     = sqlite3 libcmark yaml-0.1 jansson libutf8proc libmd
WARN     = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wold-style-definition -Wpointer-arith -Wwrite-strings -Wcast-qual -Wundef -Wvla \
	-Wformat=2 -Wimplicit-fallthrough -Wconversion -Wno-sign-conversion
HARDEN  ?= -fstack-protector-strong -D_FORTIFY_SOURCE=2
SAN     ?=
ALL_CFLAGS = -std=c11 -D_POSIX_C_SOURCE=200809L -pthread $(WARN) $(HARDEN) $(SAN) $(CFLAGS) \
	-fPIE -Isrc -I$(BUILD)/gen -ffile-prefix-map=$(CURDIR)=. \
	$(shell pkg-config --cflags $(PKGS) 2>/dev/null)
LIBS     = $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lm
ALL_LDFLAGS = $(SAN) -pthread -pie -Wl,-z,relro,-z,now,-z,noexecstack $(LDFLAGS)

# `make V=1` shows whole command lines.
Q = $(if $(V),,@printf '  %s\n' "$(1) $@";)

# ---- what is built from what ----

SRC     := $(sort $(wildcard src/*/*.c))
LIBSRC  := $(filter-out src/cli/main.c,$(SRC))
SQL     := $(sort $(wildcard src/*/*.sql))
EMBED   := $(sort $(wildcard schema/*.sql) $(wildcard templates/*/*.md templates/*/messages.yaml))
CONTENT := $(sort $(shell find archetypes claims evidence templates/levers -name '*.yaml' 2>/dev/null))
OBJ     := $(LIBSRC:src/%.c=$(BUILD)/obj/%.o)
LIB     := $(BUILD)/lib$(NAME).a
GEN     := $(BUILD)/gen/sql.h $(BUILD)/gen/sql.c $(BUILD)/gen/embed.c
UNIT    := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(sort $(wildcard tests/unit/test_*.c)))
FUZZ    := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
BENCH   := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,$(sort $(wildcard tests/bench/bench_*.c)))

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

all: $(BUILD)/$(NAME) ## build the program

$(BUILD)/gen $(BUILD)/tests $(BUILD)/fuzz $(BUILD)/bench:
	@mkdir -p $@

# Rewritten only when its text changes, so that what depends on it is built anew just then.
define keep
@mkdir -p $(dir $(1)); printf '%s\n' "$(2)" | cmp -s - $(1) || printf '%s\n' "$(2)" > $(1)
endef

$(BUILD)/flags: FORCE
	$(call keep,$@,$(CC) $(subst ",\",$(ALL_CFLAGS)))
$(BUILD)/names: FORCE
	$(call keep,$@,$(EMBED) $(SQL) $(LIBSRC) $(CONTENT))

$(BUILD)/gen/sql.h: $(SQL) src/gen/sql.awk $(BUILD)/names | $(BUILD)/gen
	$(call Q,GEN)LC_ALL=C awk -v header=1 -f src/gen/sql.awk $(SQL) > $@
$(BUILD)/gen/sql.c: $(SQL) src/gen/sql.awk $(BUILD)/names | $(BUILD)/gen
	$(call Q,GEN)LC_ALL=C awk -f src/gen/sql.awk $(SQL) > $@
$(BUILD)/gen/embed.c: $(EMBED) src/gen/embed.awk $(BUILD)/names | $(BUILD)/gen
	$(call Q,GEN)LC_ALL=C awk -f src/gen/embed.awk $(EMBED) > $@

$(BUILD)/obj/%.o: src/%.c $(BUILD)/flags | $(BUILD)/gen/sql.h
	@mkdir -p $(@D)
	$(call Q,CC)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
$(BUILD)/gen/%.o: $(BUILD)/gen/%.c $(BUILD)/flags
	$(call Q,CC)$(CC) $(ALL_CFLAGS) -Wno-overlength-strings -c -o $@ $<

$(LIB): $(OBJ) $(BUILD)/gen/sql.o $(BUILD)/gen/embed.o $(BUILD)/names
	@rm -f $@
	$(call Q,AR)$(AR) rcs $@ $(filter %.o,$^)

# Stage one: no content inside.
$(BUILD)/boot.o: src/gen/images.S
	@mkdir -p $(@D)
	$(call Q,CC)$(CC) -c -o $@ $<
$(BUILD)/$(NAME)-boot: $(BUILD)/obj/cli/main.o $(BUILD)/boot.o $(LIB)
	$(call Q,CC)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/kb.db $(BUILD)/kb-quarantine.db &: $(BUILD)/$(NAME)-boot $(CONTENT) $(BUILD)/names
	$(call Q,KB)$< load . -o $(BUILD)/kb.db

# Stage two.
$(BUILD)/images.o: src/gen/images.S $(BUILD)/kb.db $(BUILD)/kb-quarantine.db
	$(call Q,CC)$(CC) -c -DIMAGES -I$(BUILD) -Wa,-I$(BUILD) -o $@ $<
$(BUILD)/$(NAME): $(BUILD)/obj/cli/main.o $(BUILD)/images.o $(LIB)
	$(call Q,CC)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/tests/%: tests/unit/%.c tests/unit/unit.h $(BUILD)/images.o $(LIB) | $(BUILD)/tests
	$(call Q,CC)$(CC) $(ALL_CFLAGS) -Itests/unit $(ALL_LDFLAGS) -o $@ $< $(BUILD)/images.o $(LIB) -lcmocka $(LIBS)
$(BUILD)/bench/%: tests/bench/%.c $(BUILD)/images.o $(LIB) | $(BUILD)/bench
	$(call Q,CC)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -o $@ $< $(BUILD)/images.o $(LIB) $(LIBS)
$(BUILD)/fuzz/%: tests/fuzz/%.c $(BUILD)/images.o $(LIB) | $(BUILD)/fuzz
	$(call Q,CC)$(CC) $(ALL_CFLAGS) -fsanitize=fuzzer $(ALL_LDFLAGS) -o $@ $< $(BUILD)/images.o $(LIB) $(LIBS)

-include $(OBJ:.o=.d) $(BUILD)/obj/cli/main.d

# ---- what people call ----

BUILD_PACKAGES = gcc libc6-dev pkg-config libsqlite3-dev libcmark-dev libyaml-dev libjansson-dev \
	libutf8proc-dev libmd-dev
TEST_PACKAGES  = libcmocka-dev bats perl clang libclang-rt-dev mandoc sqlite3 cmark jq shellcheck strace

# $(call need,packages): install them as root, else say the one line to run and stop.
define need
@missing=; for p in $(1); do \
	dpkg-query -W -f='$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; done; \
if [ -n "$$missing" ]; then \
	if [ "$$(id -u)" = 0 ]; then \
		apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $$missing; \
	else \
		echo "packages are missing; run this line, then make again:"; \
		echo "    sudo apt-get install -y --no-install-recommends$$missing"; exit 1; \
	fi; \
fi
endef

build-packages:
	$(call need,$(BUILD_PACKAGES))
test-packages: build-packages
	$(call need,$(TEST_PACKAGES))

# pkg-config has to be read after the packages are there: hence make again.
demo: build-packages ## build, then write and show a proposal for the sample customer
	@$(MAKE) --no-print-directory all
	@BUILD=$(BUILD) sh tests/demo.sh

test: test-packages ## run every test; ends with N passed, N failed, N skipped
	@$(MAKE) --no-print-directory -j2 all unit CFLAGS="-O2 -g -Werror"
	@$(MAKE) --no-print-directory -j2 BUILD=$(BUILD)/asan all unit CC=clang HARDEN= \
		SAN="-fsanitize=address,undefined -fno-sanitize-recover=all" CFLAGS="-O1 -g -Werror"
	@BUILD=$(BUILD) bash tests/run

test-long: test-packages ## fuzz by the minute, and crowd the ledger
	@$(MAKE) --no-print-directory -j2 all
	@$(MAKE) --no-print-directory -j2 BUILD=$(BUILD)/fuzzing fuzzers CC=clang HARDEN= \
		SAN="-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all" CFLAGS="-O1 -g"
	@BUILD=$(BUILD) bash tests/long

bench: all $(BENCH) ## print ratios against what else one would run
	@for b in $(BENCH); do $$b; done
	@BUILD=$(BUILD) sh tests/bench/run
	@BUILD=$(BUILD) bash tests/bench/collections

unit: $(UNIT)
fuzzers: $(FUZZ)

man: all ## the man pages, in $(BUILD)/man
	@mkdir -p $(BUILD)/man && $(BUILD)/$(NAME) help --man > $(BUILD)/man/$(NAME).1

install: all man ## into $(PREFIX); DESTDIR is put before it
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR)/man1 \
		$(DESTDIR)$(COMPDIR)/bash-completion/completions $(DESTDIR)$(COMPDIR)/zsh/site-functions
	install -m 755 $(BUILD)/$(NAME) $(DESTDIR)$(BINDIR)/$(NAME)
	install -m 644 $(BUILD)/man/$(NAME).1 $(DESTDIR)$(MANDIR)/man1/$(NAME).1
	$(BUILD)/$(NAME) completion bash > $(DESTDIR)$(COMPDIR)/bash-completion/completions/$(NAME)
	$(BUILD)/$(NAME) completion zsh > $(DESTDIR)$(COMPDIR)/zsh/site-functions/_$(NAME)

uninstall: ## take away what install put there
	rm -f $(DESTDIR)$(BINDIR)/$(NAME) $(DESTDIR)$(MANDIR)/man1/$(NAME).1 \
		$(DESTDIR)$(COMPDIR)/bash-completion/completions/$(NAME) \
		$(DESTDIR)$(COMPDIR)/zsh/site-functions/_$(NAME)

# For a colleague without a compiler: our libraries inside, only libc outside.
DIST = $(NAME)-$(VERSION)-$(shell uname -s | tr A-Z a-z)-$(shell uname -m)
dist: all man ## one tarball with the one binary
	@rm -rf $(BUILD)/$(DIST) && mkdir -p $(BUILD)/$(DIST)
	$(call Q,CC)$(CC) $(ALL_LDFLAGS) -o $(BUILD)/$(DIST)/$(NAME) $(BUILD)/obj/cli/main.o $(BUILD)/images.o $(LIB) \
		-Wl,-Bstatic $(shell pkg-config --static --libs $(PKGS) 2>/dev/null | sed 's/-lm\b//g; s/-lpthread//g; s/-ldl//g; s/-pthread//g; s/-lz//g') \
		-Wl,-Bdynamic -lm
	cp $(BUILD)/man/$(NAME).1 README.md LICENSE $(BUILD)/$(DIST)/
	tar -C $(BUILD) --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -czf $(BUILD)/$(DIST).tar.gz $(DIST)
	@echo $(BUILD)/$(DIST).tar.gz

schemas: all ## print schema/*.schema.json anew from the tables of fields
	@for k in archetype claim quarantined-claim source measurement model accelerator tier lever customer decision; do \
		$(BUILD)/$(NAME) help --schema $$k > schema/$$k.schema.json || exit 1; done

golden: all ## write the expected outputs anew; read the diff before you commit it
	@BUILD=$(BUILD) UPDATE=1 bash tests/golden/run

clean: ## take away everything that was built
	rm -rf $(BUILD)

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | awk -F'|' '{ printf "%-12s %s\n", $$1, $$2 }'

FORCE:
.PHONY: all demo test test-long bench unit fuzzers man install uninstall dist schemas golden clean help \
	build-packages test-packages FORCE
