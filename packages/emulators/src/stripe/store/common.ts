export type Metadata = Record<string, string>

/** What most records have. */
export type Common = { id: string; created: number; metadata: Metadata }
