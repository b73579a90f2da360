/** Business constants that more than one side needs. Units are in the names. */
export const limits = {
  profileImageBytes: 4_000_000,
  deskPictureBytes: 20_000_000,
  deskPictureMegapixels: 50,
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
  /** The size that the desk cleans. The limits of contents count the cleaned text. */
  uncleanedCharacters: 1_000_000,
  memoContentCharacters: 40_000,
  articleContentCharacters: 400_000,
  captionCharacters: 500,
  mediaTextCharacters: 4000,
  sourceCharacters: 2000,
  memosPerEdition: 60,
  gatePassDays: 30,
  passwordCharacters: { min: 8, max: 256 },
  codeDigits: 6,
  resetCodeMinutes: 60,
  shortCodeMinutes: 10,
  sessionDays: 14,
  customFieldCharacters: 2000,
  customFieldsBytes: 50_000,
  memberJsonBytes: 100_000,
  metaDataBytes: 20_000,
  commentCharacters: 5000,
  commentsPerPage: 100,
  reportReasonCharacters: 200,
  channelKeyCharacters: 200,
  secureContentCharacters: 200_000,
  groupNameCharacters: 200,
  planIdCharacters: 100,
  accessListEntries: 100,
  searchCharacters: 200,
  searchResultsPerPage: 10,
  /** A search ranks this many of the newest matches. */
  searchMatches: 100,
} as const

/** The widths, in pixels, in which every picture is stored. */
export const pictureWidths = [360, 720, 1080] as const

/** The widths of profile images, which are also the longest side. */
export const profileImageWidths = [360, 720] as const
