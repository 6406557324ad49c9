# `make` lists the targets. Each does the set-up that it needs by itself.
VENV := .venv
BIN := $(VENV)/bin
PLAYABLE := $(VENV)/.playable
READY := $(VENV)/.ready

.PHONY: help play quick test browser fuzz pages docs words bench soak weights traced case case-files case-test case-picture case-scenes lessons opponents lock dist card card-test install boot camera arm64 clean
.DEFAULT_GOAL := help
# Tests start many Pythons; without stored bytecode each of them would compile all its imports again.
unexport PYTHONDONTWRITEBYTECODE

help:  ## list these targets
	@echo "make TARGET, where TARGET is one of"
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' Makefile

# Playing needs 300 MB; the tools for the tests make it 800.
$(PLAYABLE): pyproject.toml tools/setup.sh
	@sh tools/setup.sh $(VENV)
	@touch $@

$(READY): $(PLAYABLE)
	@sh tools/setup.sh $(VENV) dev
	@touch $@

play: $(PLAYABLE)  ## play on a simulated box, in this terminal and in a browser (in a pipe: one game by itself)
	@if [ -t 0 ] && [ -t 1 ]; then $(BIN)/cantstop play --simulate --web; else $(BIN)/cantstop play --simulate; fi

# Rules, referee, screens, a reading, requests to the page. pytest fails if one of these is no longer there.
QUICK := tests/engine/test_rules.py tests/engine/test_examples.py tests/engine/test_illegal.py \
	tests/device/test_referee.py tests/device/test_screens.py \
	tests/vision/test_reader.py::test_four_alike_are_read_whatever_they_show \
	tests/page/test_page.py::test_anyone_may_read_the_table \
	tests/page/test_page.py::test_a_press_needs_a_key_and_reaches_the_box_with_one

quick: $(READY)  ## a part of the tests, in less than a minute: rules, referee, screens, a reading, requests to the page
	$(BIN)/pytest --numprocesses auto --dist loadfile $(QUICK)

# Each file on one processor, as its tests share what they drew.
test: $(READY)  ## every check: ruff, mypy strict, import contracts, tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest --numprocesses auto --dist loadfile

AXE := build/axe/package/axe.min.js
$(AXE):
	@mkdir -p build/axe
	cd build/axe && npm pack --silent axe-core@4.14.1 && tar -xzf axe-core-4.14.1.tgz

browser: $(READY) $(AXE)  ## the page in a real browser: a whole game, a lost network, axe (needs chromium, chromium-driver, npm)
	CANTSTOP_BROWSER=1 $(BIN)/pytest tests/page/test_browser.py tests/browser

fuzz: $(READY)  ## the page's interface, by schemathesis over its own description (about two minutes)
	$(BIN)/python -m pip install --quiet --editable ".[fuzz]"
	$(BIN)/python -m tools.fuzz

pages: $(READY)  ## the pictures of the page's views, drawn anew (needs chromium, chromium-driver)
	$(BIN)/python -m tools.page

docs: $(READY)  ## the pictures of the screens, the wiring and the state diagram, drawn again
	$(BIN)/python -m tools.screens
	$(BIN)/python -m tools.card.screens
	$(BIN)/python -m tools.wiring
	$(BIN)/python -m tools.architecture

# Material's scripts ask for this version of Mermaid. Without npm or a network, diagrams are shown as text.
MERMAID := build/mermaid/package/dist/mermaid.min.js
$(MERMAID):
	@mkdir -p build/mermaid
	-cd build/mermaid && npm pack --silent mermaid@11 && tar -xzf mermaid-*.tgz package/dist/mermaid.min.js package/LICENSE

$(VENV)/.site: $(READY)
	$(BIN)/python -m pip install --quiet --editable ".[site]"
	@touch $@

# Not with --quiet, which would hide the warnings from --strict.
.PHONY: site
site: $(VENV)/.site $(MERMAID)  ## docs/ as a site in build/site; broken links and missing pictures fail
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --clean
	@echo "build/site is made. To look at it: python3 -m http.server -d build/site"

words: $(READY)  ## update the catalogues of texts and print every text in all languages (LANGUAGE=de: that one beside English)
	$(BIN)/python -m tools.words $(LANGUAGE)

bench: $(READY)  ## the benchmarks: speed of rules and of reading
	$(BIN)/python -m bench

soak: $(READY)  ## games by themselves with faults of all kinds, then a table (GAMES=200 KILLS=2000 BOXES=4; Ctrl-C ends it)
	$(BIN)/python -m tools.soak --games $(or $(GAMES),200) --kills $(or $(KILLS),2000) --boxes $(or $(BOXES),4)

weights: $(READY)  ## fit the reader's networks anew (about 5 hours on two cores, PyTorch; PHOTOS=DIR, TRACED=DIR add pictures)
	python3 -m venv .venv-training
	.venv-training/bin/python -m pip install --quiet --editable ".[training]"
	sh training/run.sh build/training "$(PHOTOS)" "$(TRACED)"

# Blender comes for one version of Python and with another NumPy than the project's, so it has an environment of its own.
BLENDER := .venv-blender
DRAWN = $(or $(OUT),build/$@)
traced: $(READY) $(BLENDER)/.ready  ## read pictures by another renderer, Blender's path tracer (SCENES=200; ten seconds each; needs python3.11)
	$(BLENDER)/bin/python -m tools.path_traced $(DRAWN) --scenes $(or $(SCENES),200)
	$(BIN)/cantstop score $(DRAWN)

# The case has an extra of its own, which the box never needs.
$(VENV)/.case: $(PLAYABLE)
	$(BIN)/python -m pip install --quiet --editable ".[case]"
	@touch $@

VARIANT = --pi $(or $(PI),4) --camera $(or $(CAMERA),3) --oled $(or $(OLED),2.42) --button $(or $(BUTTON),16) --tray $(or $(TRAY),200)
case: $(VENV)/.case  ## the case as STL, 3MF, STEP and pictures in build/case (PI=zero2 CAMERA=3wide OLED=2.42 BUTTON=16 TRAY=200)
	rm -rf build/case
	$(BIN)/python -m case build/case $(VARIANT)

case-files: $(VENV)/.case  ## the default variant's files for printing and pictures, case/print and docs/case, written again
	rm -rf build/case case/print/*.3mf docs/case/step-*.png
	$(BIN)/python -m case build/case
	cp build/case/*.3mf case/print/
	cp build/case/step-*.png build/case/assembly.png docs/case/

case-test: $(READY) $(VENV)/.case  ## every variant of the case: walls, gaps, room for plugs, what the camera sees (ten minutes)
	CANTSTOP_CASE=1 $(BIN)/pytest tests/case

case-picture: $(VENV)/.case $(BLENDER)/.ready  ## the picture at the head of the README, docs/case/head.jpg, by Blender (a few minutes)
	rm -rf build/case
	$(BIN)/python -m case build/case
	$(BLENDER)/bin/python -m tools.case_picture docs/case/head.jpg --share 0.8

case-scenes: $(READY) $(BLENDER)/.ready  ## read dice in the case's own tray, by Blender (CAMERA=3 SCENES=300; goes on where it was)
	$(BLENDER)/bin/python -m tools.path_traced build/case-scenes/$(or $(CAMERA),3) --camera $(or $(CAMERA),3) --tray $(or $(TRAY),200) --scenes $(or $(SCENES),300) $(OPTIONS)
	$(BIN)/cantstop score build/case-scenes/$(or $(CAMERA),3)  # nothing known of the tray
	$(BIN)/cantstop score --calibrated build/case-scenes/$(or $(CAMERA),3)  # as the box reads it, the empty tray learnt

lessons: $(BLENDER)/.ready  ## draw pictures by it, for TRACED of make weights (SCENES=1000; seven seconds each; goes on where it was)
	$(BLENDER)/bin/python -m tools.path_traced $(DRAWN) --learn --seed 1000000 --scenes $(or $(SCENES),1000)

$(BLENDER)/.ready:
	python3.11 -m venv $(BLENDER)
	$(BLENDER)/bin/python -m pip install --quiet "bpy==5.0.*"
	@touch $@

lock: $(READY)  ## pin again the Python packages that install.sh brings, with their hashes (after a change of dependencies)
	$(BIN)/python -m tools.lock

install:  ## install the box on this Raspberry Pi (see docs/install.md); the same as sudo ./install.sh
	sudo ./install.sh

dist: $(READY)  ## a release in dist/: archive for a Pi, wheel, sdist, checksums; the same bytes for the same commit
	$(BIN)/python -m tools.dist

card: $(PLAYABLE)  ## what goes onto a card that installs the box by itself, in build/card (see docs/install.md)
	$(BIN)/python -m tools.card

card-test: $(READY)  ## as root: boot a Debian tree from such a card, cut its power in each step, see its first screens (15 minutes)
	$(BIN)/python -m tools.boot.card $(OPTIONS)

boot: $(READY)  ## as root: install the box into a Debian tree, boot it, play by camera and page, kill it (6 minutes)
	$(BIN)/python -m tools.boot $(OPTIONS)

camera: $(READY)  ## as root: of make boot what has to do with Picamera2 and libcamera alone (2 minutes)
	$(BIN)/python -m tools.boot --camera $(OPTIONS)

arm64: $(READY)  ## as root: install and run the box on Debian arm64, bookworm and trixie, under emulation (an hour)
	$(BIN)/python -m tools.arm64

opponents: $(READY)  ## learn the strongest opponent anew (about half an hour of one core, goes on where it was; needs gcc)
	sh training/opponents/run.sh build/opponents

clean:  ## take away the virtual environment and all caches
	rm -rf $(VENV) .venv-training $(BLENDER) build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
