/*
 * The knowledge and the quarantine as the build compiled them, or nothing in the first
 * stage. Lengths are stored, not computed from symbols, so that C need not subtract pointers.
 */
	.section .rodata
	.balign 8
	.global image_knowledge, image_quarantine, image_knowledge_len, image_quarantine_len
image_knowledge:
#ifdef IMAGES
	.incbin "kb.db"
#endif
1:
	.balign 8
image_quarantine:
#ifdef IMAGES
	.incbin "kb-quarantine.db"
#endif
2:
	.balign 8
image_knowledge_len:
	.quad 1b - image_knowledge
image_quarantine_len:
	.quad 2b - image_quarantine
	.section .note.GNU-stack, "", %progbits
