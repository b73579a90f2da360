import { type Html, html } from '#platform/html/html.ts'
import type { Block, EmailPage } from './define-email.ts'
import { css, emailDocument, styles } from './document.ts'

/** Renders an email as HTML: one column, then a footer with help and the reason for the email. */
export function renderHtml(page: EmailPage): string {
  const { appName, language, title, preview, body, unexpected, contact, reason } = page
  const small = css(styles.small)
  const content = html`<p class="quiet" style="${css(styles.appName)}">${appName}</p>
<h1 class="ink" style="${css(styles.title)}">${title}</h1>
${body.map(blockHtml)}<hr class="rule" style="${css(styles.rule)}"/>
<p class="quiet" style="${small}">${unexpected}</p>
<p class="quiet" style="${small}">Questions? Write to ${linkHtml(`mailto:${contact}`, contact)}</p>
<p class="quiet" style="${small}">${reason}</p>`
  const { column, columnCell } = styles
  return emailDocument({ language, title, preview, column, columnCell, content }).toString()
}

function blockHtml(block: Block): Html {
  switch (block.kind) {
    case 'text': {
      const style = block.text.includes('@') ? styles.textWithAddress : styles.text
      return html`<p class="ink" style="${css(style)}">${block.text}</p>\n`
    }
    case 'code':
      return html`<p class="ink code" style="${css(styles.code)}">${block.text}</p>\n`
    case 'facts':
      return html`<table role="presentation" cellpadding="0" cellspacing="0" style="${css(styles.facts)}"><tbody>
${block.facts.map(factRow)}</tbody></table>\n`
    case 'link':
      return html`<p class="ink" style="${css(styles.text)}">${linkHtml(block.url, block.label)}</p>\n`
    case 'button': {
      const { label, url } = block
      // The footer shows the address that a `mailto:` button writes to.
      if (url.startsWith('mailto:')) return buttonHtml(url, label)
      return html`${buttonHtml(url, label)}<p class="quiet" style="${css(styles.small)}">Or open this link: <br/>${linkHtml(url, url)}</p>\n`
    }
  }
}

function buttonHtml(url: string, label: string): Html {
  return html`<a href="${url}" class="button" style="${css(styles.button)}" target="_blank"><!--[if mso]><i style="mso-font-width:400%;mso-text-raise:22.5px" hidden>&#8202;&#8202;&#8202;</i><![endif]--><span style="${css(styles.buttonLabel)}">${label}</span><!--[if mso]><i style="mso-font-width:400%" hidden>&#8202;&#8202;&#8202;&#8203;</i><![endif]--></a>\n`
}

function linkHtml(url: string, label: string): Html {
  return html`<a href="${url}" class="link" style="${css(styles.link)}" target="_blank">${label}</a>`
}

function factRow([label, value]: [string, string]): Html {
  return html`<tr><td class="quiet rule" style="${css(styles.factLabel)}">${label}</td><td class="ink rule" style="${css(styles.factValue)}">${value}</td></tr>\n`
}
