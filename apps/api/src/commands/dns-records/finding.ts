/** The result of one check: `missing` must be mended, and `unknown` could not be asked. */
export type Finding = { level: 'ok' | 'warning' | 'missing' | 'unknown'; text: string }

/** The records of one kind as DNS has them, and what they mean. */
export type CheckedRecords = { title: string; records: readonly string[]; findings: readonly Finding[] }

export const ok = (text: string): Finding => ({ level: 'ok', text })
export const warning = (text: string): Finding => ({ level: 'warning', text })
export const missing = (text: string): Finding => ({ level: 'missing', text })
