# `make` lists the targets. Each does the set-up that it needs by itself.
VENV := .venv
BIN := $(VENV)/bin
PLAYABLE := $(VENV)/.playable
READY := $(VENV)/.ready

.PHONY: help play quick test browser mutants pages docs words bench soak weights traced case case-files case-test case-scenes lessons opponents lock dist release card card-test install boot fresh arm64 clean
.DEFAULT_GOAL := help
# The tests start Python many times; without stored bytecode it would compile all imports each time.
unexport PYTHONDONTWRITEBYTECODE

help:  ## list these targets
	@echo "make TARGET, where TARGET is one of"
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' Makefile

# Playing needs 300 MB; the tools for the tests make it 800.
$(PLAYABLE): pyproject.toml tools/install/setup.sh tools/install/lock/play.txt
	@PYTHON='$(PYTHON)' sh tools/install/setup.sh $(VENV)
	@touch $@

$(READY): $(PLAYABLE) tools/install/lock/dev.txt
	@PYTHON='$(PYTHON)' sh tools/install/setup.sh $(VENV) dev
	@touch $@

play: $(PLAYABLE)  ## play on a simulated box, in terminal and browser; CAMERA=0, choose or none: with real dice
	@if [ -n "$(CAMERA)" ]; then $(BIN)/cantstop play $(if $(filter none,$(CAMERA)),--no-camera,--camera $(if $(filter choose,$(CAMERA)),,"$(CAMERA)")); \
	elif [ -t 0 ] && [ -t 1 ]; then $(BIN)/cantstop play --simulate; else $(BIN)/cantstop play --simulate --auto; fi

# Rules, referee, screens, a reading, page requests. pytest fails if one of these no longer exists.
QUICK := tests/engine/test_rules.py tests/engine/test_illegal.py \
	tests/device/test_referee.py tests/device/test_screens.py \
	tests/vision/test_reader.py::test_four_alike_are_read_whatever_they_show \
	tests/page/test_page.py::test_a_press_needs_a_key_and_reaches_the_box_with_one

quick: $(READY)  ## some of the tests, in less than a minute: rules, referee, screens, a reading, page requests
	$(BIN)/pytest --numprocesses auto --dist loadfile $(QUICK)

# Two processes more than there are processors, as some tests wait.
PROCESSES = $$($(BIN)/python -c "import os; print(2 + (os.cpu_count() or 1))")
test: $(READY)  ## every check: ruff, mypy strict, import contracts, tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest --numprocesses $(PROCESSES) --dist worksteal

AXE := build/axe/package/axe.min.js
$(AXE):
	@mkdir -p build/axe
	cd build/axe && npm pack --silent axe-core@4.14.1 && tar -xzf axe-core-4.14.1.tgz

browser: $(READY) $(AXE)  ## the page in a real browser: a whole game, a lost network, axe; a game from a film (needs chromium, chromium-driver, npm)
	CANTSTOP_BROWSER=1 $(BIN)/pytest tests/page/test_browser.py tests/page/test_whole_game.py tests/device/test_real_dice.py

MODULE ?= engine/rules.py
TESTS ?= tests/engine/test_rules.py tests/engine/test_illegal.py tests/engine/test_positions.py
MUTANTS = build/mutants/$(shell git rev-parse --short HEAD)-$(subst /,-,$(MODULE))
mutants: $(READY)  ## change MODULE in small ways and list what none of TESTS notices; goes on where it was interrupted
	$(BIN)/python -m pip install --quiet --editable ".[mutants]"
	[ -d $(MUTANTS) ] || git clone --quiet . $(MUTANTS)
	cd $(MUTANTS) && PATH=$(abspath $(BIN)):$$PATH PYTHONDONTWRITEBYTECODE=1 MODULE=$(MODULE) TESTS="$(TESTS)" sh tools/mutants.sh

pages: $(READY)  ## draw the pictures of the page again (needs chromium, chromium-driver)
	$(BIN)/python -m tools.docs.page

docs: $(READY)  ## draw the pictures of the screens again
	$(BIN)/python -m tools.docs.screens
	$(BIN)/python -m tools.docs.boards
	$(BIN)/python -m tools.install.card.screens

# Material's scripts require this version of Mermaid. Without npm or a network, diagrams are shown as text.
MERMAID := build/mermaid/package/dist/mermaid.min.js
$(MERMAID):
	@mkdir -p build/mermaid
	-cd build/mermaid && npm pack --silent mermaid@11 && tar -xzf mermaid-*.tgz package/dist/mermaid.min.js package/LICENSE

$(VENV)/.site: $(READY)
	$(BIN)/python -m pip install --quiet --editable ".[site]"
	@touch $@

# Not with --quiet, which would hide the warnings from --strict.
.PHONY: site
site: $(VENV)/.site $(MERMAID)  ## build the site of docs/ in build/site; fail for broken links and missing pictures
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --clean
	@echo "Built build/site. To view it: python3 -m http.server -d build/site"

words: $(READY)  ## update the catalogues of texts and print every text in all languages (LANGUAGE=de: English and German only)
	$(BIN)/python -m tools.docs.words $(LANGUAGE)

bench: $(READY)  ## speed of reading, beside the usual recipe (PICTURES=DIR adds labelled pictures)
	$(BIN)/python -m tools.bench $(PICTURES)

soak: $(READY)  ## play games automatically with kills, damaged files and full disks (GAMES=200 KILLS=2000; Ctrl-C stops)
	$(BIN)/python -m tools.soak --games $(or $(GAMES),200) --kills $(or $(KILLS),2000)

weights: $(READY)  ## train the reader's networks (about 9 hours on two cores, PyTorch; PHOTOS=DIR, TRACED=DIR, SURFACES=DIR add pictures)
	python3 -m venv .venv-training
	.venv-training/bin/python -m pip install --quiet --editable ".[training]"
	sh tools/training/run.sh build/training "$(PHOTOS)" "$(TRACED)" "$(SURFACES)"

# Blender needs a certain version of Python and another NumPy, so it has its own environment.
BLENDER := .venv-blender
DRAWN = $(or $(OUT),build/$@)
traced: $(READY) $(BLENDER)/.ready  ## read pictures of another renderer, Blender's path tracer (SCENES=200; fifteen seconds each; needs python3.11)
	$(BLENDER)/bin/python -m tools.training.path_traced $(DRAWN) --scenes $(or $(SCENES),200)
	$(BIN)/python -m tools.score $(DRAWN)

# The case has its own extra, which the box does not need.
$(VENV)/.case: $(PLAYABLE)
	$(BIN)/python -m pip install --quiet --editable ".[case]"
	@touch $@

VARIANT = --pi $(or $(PI),4) --camera $(or $(CAMERA),3) --oled $(or $(OLED),2.42) --button $(or $(BUTTON),12) --parts $(or $(PARTS),standard) --tray $(or $(TRAY),200)
case: $(VENV)/.case  ## the case as STL, 3MF, STEP and pictures in build/case (PI=5 CAMERA=3wide OLED=2.42 BUTTON=16 PARTS=full TRAY=200)
	rm -rf build/case
	$(BIN)/python -m case build/case $(VARIANT)

case-files: $(VENV)/.case  ## update the files for printing and the pictures of the default variant, case/print and docs/case
	rm -rf build/case case/print/*.3mf docs/case/*.png
	$(BIN)/python -m case build/case
	cp build/case/*.3mf case/print/
	cp build/case/step-*.png build/case/head.png docs/case/

case-test: $(READY) $(VENV)/.case  ## test three variants of the case: overhangs, gaps, space for plugs, the camera's view (ten minutes)
	CANTSTOP_CASE=1 $(BIN)/pytest tests/case

case-scenes: $(READY) $(BLENDER)/.ready  ## read dice in the case's own tray, by Blender (CAMERA=3 SCENES=300; continues where it stopped)
	$(BLENDER)/bin/python -m tools.training.path_traced build/case-scenes/$(or $(CAMERA),3) --camera $(or $(CAMERA),3) --tray $(or $(TRAY),200) --scenes $(or $(SCENES),300) $(OPTIONS)
	$(BIN)/python -m tools.score build/case-scenes/$(or $(CAMERA),3)  # nothing known of the tray
	$(BIN)/python -m tools.score --calibrated build/case-scenes/$(or $(CAMERA),3)  # as the box reads it, the empty tray learnt

lessons: $(BLENDER)/.ready  ## examples drawn by Blender, a folder for TRACED of make weights (SCENES=1000 of each kind, about five hours; SURFACES=DIR; resumes)
	$(BLENDER)/bin/python -m tools.training.examples $(DRAWN)/values --traced --seed 1000000 --scenes $(or $(SCENES),1000)
	$(BLENDER)/bin/python -m tools.training.examples $(DRAWN)/finder --traced small --seed 830000 --scenes $(or $(SCENES),1000)
	[ -z "$(SURFACES)" ] || $(BLENDER)/bin/python -m tools.training.examples $(DRAWN)/on-surfaces --traced small --seed 820000 --surfaces "$(SURFACES)" --scenes $(or $(SCENES),1000)

$(BLENDER)/.ready:
	python3.11 -m venv $(BLENDER)
	$(BLENDER)/bin/python -m pip install --quiet "bpy==5.0.*" "opencv-python-headless>=4.11,<4.12" pillow rich
	@touch $@

lock: $(READY)  ## raise the pinned Python packages and their hashes to the newest that pyproject.toml allows
	sh tools/install/lock.sh $(BIN)/python

install:  ## install the box on this Raspberry Pi, same as sudo ./install.sh (see docs/install.md)
	sudo ./install.sh

dist: $(READY)  ## build a release in dist/: archive for a Pi, card, case, checksums; reproducible for each commit
	$(BIN)/python -m tools.install.dist

release: $(READY)  ## build dist/, and tag this commit as the release of pyproject.toml's version
	$(BIN)/python -m tools.install.dist --tag

card: $(PLAYABLE)  ## create the files for a card that installs the box automatically, in build/card (see docs/install.md)
	$(BIN)/python -m tools.install.card

card-test: $(READY)  ## as root: boot a Debian tree from such a card, cut the power in each step, check its first screens (15 minutes)
	$(BIN)/python -m tools.hardware.boot.card

boot: $(READY)  ## as root: install the box into a Debian tree, boot it, play by camera and page, kill it (6 minutes)
	$(BIN)/python -m tools.hardware.boot $(OPTIONS)

fresh: $(READY)  ## as root: follow the README in bare Debian 12 and 13, and test the lowest and newest packages (an hour)
	$(BIN)/python -m tools.install.fresh

arm64: $(READY)  ## as root: install and run the box on Debian arm64, bookworm and trixie, under emulation (an hour)
	$(BIN)/python -m tools.hardware.arm64

opponents: $(READY)  ## train the strongest opponent (about 45 minutes on one core; needs gcc)
	sh tools/training/opponents/run.sh build/opponents

clean:  ## remove the virtual environments and all caches
	rm -rf .venv* build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
