# SPDX-License-Identifier: BSD-3-Clause
"""Settings of Sphinx for the pages that build.py lays out."""

import os

project = "rugose"
author = "the rugose authors"
copyright = "the rugose authors, BSD 3-clause"
version = release = os.environ["RUGOSE_VERSION"]

extensions = ["myst_nb", "sphinx.ext.autodoc", "numpydoc", "breathe"]
root_doc = "index"
html_theme = "furo"
html_title = f"rugose {release}"
html_copy_source = False
html_show_sphinx = False
html_static_path = ["static"]
html_css_files = ["site.css"]
highlight_language = "none"

# Markdown as it is read without Sphinx: headings are anchors.
myst_heading_anchors = 6

# Notebooks lie there without output; the site shows what they give.
nb_execution_mode = "cache"
nb_execution_cache_path = os.environ["RUGOSE_NOTEBOOK_CACHE"]
nb_execution_timeout = 300
nb_execution_raise_on_error = True

autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False

breathe_projects = {"rugose": os.environ["RUGOSE_DOXYGEN_XML"]}
breathe_default_project = "rugose"
breathe_domain_by_extension = {"h": "c"}
