import type { CSSProperties } from 'react'

const serif = "Newsreader, Georgia, 'Times New Roman', serif"
const sans = "Figtree, system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"

const light = { page: '#FBF8F1', ink: '#1C1B19', quiet: '#5F5A52', rule: '#E4DED2', accent: '#A6402B' }
const dark = { page: '#161513', ink: '#ECE7DD', quiet: '#A79F92', rule: '#2C2925', accent: '#E58B73' }

const body = { color: light.ink, fontFamily: sans, fontSize: '16px', lineHeight: '25px' }
const paragraph = { ...body, margin: '0 0 20px' }
const small = { color: light.quiet, fontFamily: sans, fontSize: '14px', lineHeight: '21px' }
const heading = { color: light.ink, fontFamily: serif, fontWeight: 500 }
const factCell = { borderTop: `1px solid ${light.rule}`, lineHeight: '22px', verticalAlign: 'top' }

/** The light colors, inline on each element because many mail programs drop style sheets. */
export const styles = {
  page: { backgroundColor: light.page, margin: 0, padding: 0 },
  // Not every mail program hyphenates, and a word that is too long would widen the table.
  column: { maxWidth: '480px', margin: '0 auto', padding: '32px 24px 48px', wordBreak: 'break-word' },
  appName: { ...heading, color: light.quiet, fontSize: '17px', lineHeight: '24px', margin: '0 0 28px' },
  title: { ...heading, fontSize: '28px', lineHeight: '34px', margin: '0 0 16px' },
  text: { ...paragraph, hyphens: 'auto', WebkitHyphens: 'auto' },
  // A hyphen would seem to be part of the address.
  textWithAddress: paragraph,
  code: {
    ...body,
    fontSize: '40px',
    fontVariantNumeric: 'tabular-nums',
    fontWeight: 600,
    letterSpacing: '0.14em',
    lineHeight: '48px',
    margin: '0 0 20px',
    userSelect: 'all',
    whiteSpace: 'nowrap',
  },
  facts: { borderCollapse: 'collapse', margin: '0 0 20px', width: '100%' },
  factLabel: { ...small, ...factCell, padding: '10px 16px 10px 0', whiteSpace: 'nowrap', width: '1%' },
  factValue: { ...body, ...factCell, padding: '10px 0', wordBreak: 'break-word' },
  button: {
    ...body,
    backgroundColor: light.ink,
    borderRadius: '6px',
    color: light.page,
    fontWeight: 500,
    lineHeight: '20px',
    margin: '4px 0 16px',
    padding: '15px 24px',
  },
  small: { ...small, margin: '0 0 16px' },
  link: { color: light.accent, textDecoration: 'underline', wordBreak: 'break-all' },
  rule: { borderColor: light.rule, borderTop: `1px solid ${light.rule}`, margin: '28px 0 20px' },
} satisfies Record<string, CSSProperties>

/** The dark colors, for mail programs that know `prefers-color-scheme`. NOTE: React escapes quotes and `>`. */
export const styleSheet = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page, .page td { background-color: ${dark.page} !important; }
  .ink { color: ${dark.ink} !important; }
  .quiet { color: ${dark.quiet} !important; }
  .link { color: ${dark.accent} !important; }
  .rule { border-color: ${dark.rule} !important; }
  .button { background-color: ${dark.ink} !important; color: ${dark.page} !important; }
}
@media (max-width: 360px) {
  .code { font-size: 34px !important; }
}
`

/** The meta elements of every email. */
export const emailMeta = {
  viewport: 'width=device-width, initial-scale=1',
  'color-scheme': 'light dark',
  'supported-color-schemes': 'light dark',
  'format-detection': 'telephone=no, date=no, address=no',
}
