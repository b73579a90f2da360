/** Business constants of spec 9 that more than one side needs. Units are in the names. */
export const limits = {
  imageBytes: 4_000_000,
  entryBoxCharacters: 320,
  sitePasswordCharacters: 1024,
  statusLineMs: 5000,
  toastMs: { blank: 4000, error: 4000, success: 2000, loading: Infinity, custom: 4000 },
  toastRemovalMs: 1000,
  toastsKept: 20,
  chunkTimeoutMs: 120_000,
  staggerMs: 100,
  scrollDelayMs: 200,
  openMemoHeightPx: 2000,
  titleCharacters: 300,
  memoContentCharacters: 40_000,
  articleContentCharacters: 400_000,
  captionCharacters: 500,
  mediaTextCharacters: 4000,
  sourceCharacters: 2000,
  memosPerEdition: 60,
  gatePassDays: 30,
} as const

/** Widths, in pixels, at which every picture is kept. */
export const pictureWidths = [360, 720, 1080] as const
