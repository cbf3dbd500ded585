/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the rugose authors */

/* The bytes of a page around its data, as part of the program. */

#include "tables/report.h"

#ifdef PAGE_MISSING

const cli_page_text cli_page = {"", NULL, "", PAGE_MISSING};

#else

extern const char cli_page_begin[], cli_page_behind[], cli_page_end[];

__asm__(".pushsection .rodata\n"
        ".global cli_page_begin, cli_page_behind, cli_page_end\n"
        ".hidden cli_page_begin, cli_page_behind, cli_page_end\n"
        "cli_page_begin: .incbin \"" PAGE_FOLDER "/page_begin.html\"\n"
        "cli_page_behind: .incbin \"" PAGE_FOLDER "/page_behind.html\"\n"
        "cli_page_end: .byte 0\n"
        ".popsection\n");

const cli_page_text cli_page = {cli_page_begin, cli_page_behind, cli_page_end,
                                PAGE_LIBRARIES};

#endif
