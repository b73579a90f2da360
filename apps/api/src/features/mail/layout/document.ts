import { type Html, html, rawHtml } from '#platform/html/html.ts'
import { css, type Style, styleSheet, styles } from './styles.ts'

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
