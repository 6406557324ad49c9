"""MkDocs hooks, in addition to the settings in mkdocs.yml: `make site`.

* Links to files of the repository outside docs/ work on a code host. On the site they lead there if mkdocs.yml has a
  repo_url, and are plain text otherwise; a missing file fails the build.
* The case's files for printing are copied into the site.
* Diagrams are drawn by a copy of Mermaid in the site. Without it, their text is shown.
* A page that would load anything from another host fails the build.
"""

from __future__ import annotations

import logging
import re
from os.path import normpath, relpath
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

PROJECT = Path(__file__).parents[2]
MERMAID = PROJECT / "build/mermaid/package/dist/mermaid.min.js"
PRINTED = "case/print"
"""The folder of the repository, and of the site, with the case's files for printing."""
MERMAID_ON_SITE = "assets/javascripts/mermaid.min.js"

LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((\.\./[^)#]+)(#[^)]*)?\)")
LOADED = re.compile(
    r"""<(?:script|img|iframe|link rel="(?:stylesheet|icon|preconnect)")[^>]*(?:src|href)="(?:https?:)?//[^"]*"""
)

_log = logging.getLogger("mkdocs.hooks.site")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Enable diagrams, or show them as text."""
    if MERMAID.exists():
        config.extra_javascript.append(MERMAID_ON_SITE)
    else:
        config.mdx_configs["pymdownx.superfences"]["custom_fences"] = []
        _log.info("without %s, diagrams are shown as text", MERMAID.relative_to(PROJECT))
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add Mermaid and the case's files for printing to the site."""
    for file in sorted((Path(config.docs_dir).parent / PRINTED).glob("*.3mf")):
        files.append(File.generated(config, f"{PRINTED}/{file.name}", abs_src_path=str(file)))
    if MERMAID.exists():
        files.append(File.generated(config, MERMAID_ON_SITE, abs_src_path=str(MERMAID)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Convert links out of docs/ into links to the repository, or into text."""
    docs = Path(config.docs_dir)

    def turned(link: re.Match[str]) -> str:
        text, target = link[1], Path(normpath((docs / page.file.src_uri).parent / link[2]))
        if target.is_relative_to(docs):
            return link[0]
        if not target.exists() or not target.is_relative_to(docs.parent):
            _log.warning("%s links to %s, which is not in the repository", page.file.src_uri, link[2])
            return link[0]
        path = target.relative_to(docs.parent).as_posix()
        if files.get_file_from_path(path) is not None:
            return f"[{text}]({relpath(path, Path(page.file.src_uri).parent)})"
        if not config.repo_url:
            return text
        return f"[{text}]({config.repo_url.rstrip('/')}/blob/main/{path}{link[3] or ''})"

    return LINK.sub(turned, markdown)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Reject a page that loads anything from another host."""
    if found := LOADED.search(output):
        raise PluginError(f"{page.file.src_uri} loads something from elsewhere: {found[0]}")
    return output
