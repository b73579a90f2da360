/** Returns a message with each of its signed addresses replaced by its purpose. Those of drafts' pictures are pictures. */
export function withoutSignatures(text = ''): string {
  return text.replaceAll(
    /https?:\/\/[^\s"<>]*?\/l\/(picture|draft|\w+)\/[\w.~:-]+/g,
    (_all, purpose: string) => (purpose === 'draft' ? '/l/picture' : `/l/${purpose}`),
  )
}
