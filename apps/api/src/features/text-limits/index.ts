/**
 * Limits of codes and tests by text: which numbers get them, how many a day, and the stop after a sudden rise of unused
 * codes (ADR 0060).
 */
export { createTextLimits, type TextLimits } from './text-limits.service.ts'
