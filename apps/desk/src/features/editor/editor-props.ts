/** Props of a text editor. */
export type TextEditorProps = {
  /** The stored text. Only its first value and the one after a change of `resetKey` are shown. */
  html: string
  resetKey?: string | number
  onChange: (html: string) => void
  label: string
  /** A BCP 47 tag; empty for the language of the site. */
  language: string
  id?: string
  isReadOnly?: boolean
  /** Another text, against which new words are underlined and deleted ones struck. */
  comparedWith?: string | null
}
