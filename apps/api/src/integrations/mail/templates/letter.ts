/** What a mail says, apart from how it looks. Texts are plain; they are escaped where they become HTML. */
export type Letter = {
  subject: string
  /** The line that inboxes show beside the subject. */
  preview: string
  title: string
  /** What is to be read, in order. */
  parts: Part[]
  /** What to do when it was not you, set apart and quiet. */
  aside: string
}

export type Part =
  | { kind: 'text'; text: string }
  | { kind: 'code'; code: string }
  /** What is so, line by line, as on a receipt. */
  | { kind: 'facts'; facts: Fact[] }
  /** A button; the plain address stands beneath it too. */
  | { kind: 'button'; label: string; url: string }

export type Fact = { label: string; value: string }
