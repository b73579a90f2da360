import type { CSSProperties } from 'react'

const serif = "Newsreader, Georgia, 'Times New Roman', serif"
const sans = "Figtree, system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"

const light = { paper: '#FBF8F1', ink: '#1C1B19', quiet: '#5F5A52', rule: '#E4DED2', accent: '#A6402B' }
const dark = { paper: '#161513', ink: '#ECE7DD', quiet: '#A79F92', rule: '#2C2925', accent: '#E58B73' }

/** The looks of a letter in light. They stand on each element, since many mail programs know nothing else. */
export const styles = {
  paper: { backgroundColor: light.paper, margin: 0, padding: 0 },
  column: { maxWidth: '480px', margin: '0 auto', padding: '40px 24px 48px' },
  masthead: {
    color: light.quiet,
    fontFamily: serif,
    fontSize: '17px',
    lineHeight: '24px',
    margin: '0 0 32px',
  },
  title: {
    color: light.ink,
    fontFamily: serif,
    fontSize: '28px',
    fontWeight: 500,
    lineHeight: '34px',
    margin: '0 0 16px',
  },
  text: { color: light.ink, fontFamily: sans, fontSize: '16px', lineHeight: '25px', margin: '0 0 20px' },
  code: {
    color: light.ink,
    fontFamily: sans,
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
  factLabel: {
    borderTop: `1px solid ${light.rule}`,
    color: light.quiet,
    fontFamily: sans,
    fontSize: '14px',
    lineHeight: '22px',
    padding: '10px 16px 10px 0',
    verticalAlign: 'top',
    whiteSpace: 'nowrap',
    width: '1%',
  },
  factValue: {
    borderTop: `1px solid ${light.rule}`,
    color: light.ink,
    fontFamily: sans,
    fontSize: '16px',
    lineHeight: '22px',
    padding: '10px 0',
    verticalAlign: 'top',
    wordBreak: 'break-word',
  },
  button: {
    backgroundColor: light.accent,
    borderRadius: '6px',
    color: light.paper,
    fontFamily: sans,
    fontSize: '16px',
    fontWeight: 600,
    margin: '4px 0 16px',
    padding: '15px 24px',
  },
  address: { color: light.quiet, fontFamily: sans, fontSize: '14px', lineHeight: '21px', margin: '0 0 24px' },
  link: { color: light.accent, textDecoration: 'underline', wordBreak: 'break-all' },
  rule: { borderColor: light.rule, borderTop: `1px solid ${light.rule}`, margin: '28px 0 20px' },
  aside: { color: light.quiet, fontFamily: sans, fontSize: '14px', lineHeight: '21px', margin: 0 },
} satisfies Record<string, CSSProperties>

/** The same in dark, for programs that know `prefers-color-scheme`. NOTE: no quotes and no `>`: both would be escaped. */
export const darkRules = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .paper, .paper td { background-color: ${dark.paper} !important; }
  .ink { color: ${dark.ink} !important; }
  .quiet { color: ${dark.quiet} !important; }
  .link { color: ${dark.accent} !important; }
  .rule { border-color: ${dark.rule} !important; }
  .button { background-color: ${dark.accent} !important; color: ${dark.paper} !important; }
}
@media (max-width: 360px) {
  .code { font-size: 34px !important; }
}
`
