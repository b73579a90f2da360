const labels: Readonly<Record<string, string>> = {
  title: 'Title',
  subject: 'Subject',
  note: 'Note for readers',
  memo_content: 'Text',
  source: 'Source',
  media: 'Picture',
  media_title: 'Caption',
  media_alt: 'Alt text',
  media_focus: 'Focal point',
  media_text: 'Text at the picture',
  language: 'Language',
  group: 'Who may read it',
  ready: 'Ready',
}

/** Returns the name of a field on the screen. */
export function fieldLabel(field: string): string {
  return labels[field] ?? field
}

/** Names the field of a refusal as the screen does: the API calls it as scripts do, such as `memo_content: …`. */
export function withFieldLabel(message: string): string {
  return message.replace(/^(\w+)(?=: )/, fieldLabel)
}
