import { type Html, html, rawHtml } from '#platform/html/html.ts'

type EmailDocument = {
  language: string
  title: string
  /** The line that inboxes show beside the subject. */
  preview: string
  column: Style
  columnCell: Style
  content: Html
  /** Further elements of the head; null for none. */
  head?: Html | null
}

// Inboxes fill the rest of the line with the first words of the email, unless enough invisible characters follow.
const previewCharacters = 200
const invisible = '\u00a0\u200c\u200b\u200d\ufeff'

/** Returns the document of an email: one column in tables, which every mail program knows. */
export function emailDocument({ language, title, preview, head, ...parts }: EmailDocument): Html {
  const page = css(styles.page)
  const filler = invisible.repeat(Math.max(0, previewCharacters - preview.length))
  return html`<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html dir="ltr" lang="${language}">
<head>
<meta http-equiv="Content-Type" content="text/html; charset=UTF-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="x-apple-disable-message-reformatting"/>
<title>${title}</title>
<meta name="color-scheme" content="light dark"/>
<meta name="supported-color-schemes" content="light dark"/>
<meta name="format-detection" content="telephone=no, date=no, address=no"/>
<style>${rawHtml(styleSheet)}</style>
${head}</head>
<body class="page" dir="ltr" lang="${language}" style="${page}">
<table border="0" width="100%" cellpadding="0" cellspacing="0" role="presentation" align="center"><tbody><tr><td dir="ltr" lang="${language}" style="${page}">
<div style="display:none;overflow:hidden;line-height:1px;opacity:0;max-height:0;max-width:0">${preview}${filler !== '' && html`<div>${filler}</div>`}</div>
<table border="0" width="100%" cellpadding="0" cellspacing="0" role="presentation" align="center" style="${css(parts.column)}"><tbody><tr style="width:100%"><td style="${css(parts.columnCell)}">
${parts.content}
</td></tr></tbody></table>
</td></tr></tbody></table>
</body>
</html>
`
}

const serif = "Newsreader, Georgia, 'Times New Roman', serif"
const sans = "Figtree, system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"

const light = { page: '#FBF8F1', ink: '#1C1B19', quiet: '#5F5A52', rule: '#E4DED2', accent: '#A6402B' }
const dark = { page: '#161513', ink: '#ECE7DD', quiet: '#A79F92', rule: '#2C2925', accent: '#E58B73' }

/** CSS declarations by property. */
export type Style = Readonly<Record<string, string | number>>

const body = { color: light.ink, 'font-family': sans, 'font-size': '16px', 'line-height': '25px' }
const paragraph = { ...body, margin: '0 0 20px' }
const small = { color: light.quiet, 'font-family': sans, 'font-size': '14px', 'line-height': '21px' }
const heading = { color: light.ink, 'font-family': serif, 'font-weight': 500 }
const factCell = { 'border-top': `1px solid ${light.rule}`, 'line-height': '22px', 'vertical-align': 'top' }

/** The light colors, inline on each element because many mail programs drop style sheets. */
export const styles = {
  page: { 'background-color': light.page, margin: 0, padding: 0 },
  // Not every mail program hyphenates, and a word that is too long would widen the table.
  column: { 'max-width': '480px', margin: '0 auto', 'word-break': 'break-word' },
  columnCell: { padding: '32px 24px 48px' },
  appName: {
    ...heading,
    color: light.quiet,
    'font-size': '17px',
    'line-height': '24px',
    margin: '0 0 28px',
  },
  title: { ...heading, 'font-size': '28px', 'line-height': '34px', margin: '0 0 16px' },
  text: { ...paragraph, hyphens: 'auto', '-webkit-hyphens': 'auto' },
  // A hyphen would seem to be part of the address.
  textWithAddress: paragraph,
  code: {
    ...body,
    'font-size': '40px',
    'font-variant-numeric': 'tabular-nums',
    'font-weight': 600,
    'letter-spacing': '0.14em',
    'line-height': '48px',
    margin: '0 0 20px',
    'user-select': 'all',
    'white-space': 'nowrap',
  },
  facts: { 'border-collapse': 'collapse', margin: '0 0 20px', width: '100%' },
  factLabel: { ...small, ...factCell, padding: '10px 16px 10px 0', 'white-space': 'nowrap', width: '1%' },
  factValue: { ...body, ...factCell, padding: '10px 0', 'word-break': 'break-word' },
  button: {
    ...body,
    'background-color': light.ink,
    'border-radius': '6px',
    color: light.page,
    display: 'inline-block',
    'font-weight': 500,
    'line-height': '20px',
    margin: '4px 0 16px',
    'max-width': '100%',
    'mso-padding-alt': '0px',
    padding: '15px 24px',
    'text-decoration': 'none',
  },
  // Outlook gives links no padding: it raises this text between the wide spaces of the layout.
  buttonLabel: {
    display: 'inline-block',
    'line-height': '120%',
    'max-width': '100%',
    'mso-padding-alt': '0px',
    'mso-text-raise': '11.25px',
  },
  small: { ...small, margin: '0 0 16px' },
  link: { color: light.accent, 'text-decoration': 'underline', 'word-break': 'break-all' },
  rule: {
    border: 'none',
    'border-color': light.rule,
    'border-top': `1px solid ${light.rule}`,
    margin: '28px 0 20px',
    width: '100%',
  },
} satisfies Record<string, Style>

/** Writes the declarations of a `style` attribute. */
export function css(style: Style): string {
  return Object.entries(style)
    .map(([property, value]) => `${property}:${value}`)
    .join(';')
}

/** The dark colors, for mail programs that know `prefers-color-scheme`. */
const styleSheet = `
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
