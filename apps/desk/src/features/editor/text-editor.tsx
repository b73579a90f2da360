type Props = {
  html: string
  onChange: (html: string) => void
  label: string
  /** A BCP 47 tag; empty for the language of the site. */
  language: string
  /** Changes when the text was replaced from outside, and not by typing. */
  resetKey: string
}

/** Edits the text of a memo. */
export function TextEditor({ html, onChange, label, language, resetKey }: Props) {
  return (
    <textarea
      key={resetKey}
      className="text-editor"
      aria-label={label}
      lang={language === '' ? undefined : language}
      defaultValue={html}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
