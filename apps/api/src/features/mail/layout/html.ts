import { createElement as element, Fragment, type ReactElement } from 'react'
import { Body, Button, Container, Head, Heading, Hr, Html, Link, Preview, render, Text } from 'react-email'
import type { Block, EmailPage } from './define-email.ts'
import { emailMeta, styleSheet, styles } from './styles.ts'

// NOTE: Node strips types from these sources but knows no JSX, hence createElement.

/** Renders an email as HTML: one column, then a footer with help and the reason for the email. */
export async function renderHtml(page: EmailPage): Promise<string> {
  const { appName, language, title, preview, body, unexpected, contact, reason } = page
  const contactLink = element(
    Link,
    { href: `mailto:${contact}`, className: 'link', style: styles.link },
    contact,
  )
  return await render(
    element(
      Html,
      { lang: language },
      element(
        Head,
        null,
        element('title', null, title),
        ...Object.entries(emailMeta).map(([name, content]) => element('meta', { name, content })),
        element('style', null, styleSheet),
      ),
      element(
        Body,
        { className: 'page', style: styles.page },
        element(Preview, { useTitleTag: false, children: preview }),
        element(
          Container,
          { style: styles.column },
          element(Text, { className: 'quiet', style: styles.appName }, appName),
          element(Heading, { as: 'h1', className: 'ink', style: styles.title }, title),
          ...body.map(blockElement),
          element(Hr, { className: 'rule', style: styles.rule }),
          element(Text, { className: 'quiet', style: styles.small }, unexpected),
          element(Text, { className: 'quiet', style: styles.small }, 'Questions? Write to ', contactLink),
          element(Text, { className: 'quiet', style: styles.small }, reason),
        ),
      ),
    ),
  )
}

function blockElement(block: Block): ReactElement {
  switch (block.kind) {
    case 'text': {
      const style = block.text.includes('@') ? styles.textWithAddress : styles.text
      return element(Text, { className: 'ink', style }, block.text)
    }
    case 'code':
      return element(Text, { className: 'ink code', style: styles.code }, block.text)
    case 'facts':
      return element(
        'table',
        { role: 'presentation', cellPadding: 0, cellSpacing: 0, style: styles.facts },
        element('tbody', null, ...block.facts.map(factRow)),
      )
    case 'link': {
      const linkElement = element(
        Link,
        { href: block.url, className: 'link', style: styles.link },
        block.label,
      )
      return element(Text, { className: 'ink', style: styles.text }, linkElement)
    }
    case 'button': {
      const { label, url } = block
      const buttonElement = element(Button, { href: url, className: 'button', style: styles.button }, label)
      // The footer shows the address that a `mailto:` button writes to.
      if (url.startsWith('mailto:')) return buttonElement
      const plainLink = element(Link, { href: url, className: 'link', style: styles.link }, url)
      return element(
        Fragment,
        null,
        buttonElement,
        element(
          Text,
          { className: 'quiet', style: styles.small },
          'Or open this link: ',
          element('br'),
          plainLink,
        ),
      )
    }
  }
}

function factRow([label, value]: [string, string]): ReactElement {
  return element(
    'tr',
    null,
    element('td', { className: 'quiet rule', style: styles.factLabel }, label),
    element('td', { className: 'ink rule', style: styles.factValue }, value),
  )
}
