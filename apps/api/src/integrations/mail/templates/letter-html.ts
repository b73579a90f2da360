import { createElement, Fragment, type ReactElement } from 'react'
import { Body, Button, Container, Head, Heading, Hr, Html, Link, Preview, Text } from 'react-email'
import type { Fact, Letter, Part } from './letter.ts'
import { darkRules, styles } from './letter-styles.ts'

// Node runs these sources as they are, and it strips types but does not know JSX: hence createElement.

/** A letter as a page: one column, the code large, what to do otherwise beneath a rule. */
export function letterHtml({ title, preview, parts, aside }: Letter, appName: string): ReactElement {
  return createElement(
    Html,
    { lang: 'en' },
    createElement(
      Head,
      null,
      createElement('title', null, title),
      createElement('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      createElement('meta', { name: 'color-scheme', content: 'light dark' }),
      createElement('meta', { name: 'supported-color-schemes', content: 'light dark' }),
      createElement('meta', { name: 'format-detection', content: 'telephone=no, date=no, address=no' }),
      createElement('style', null, darkRules),
    ),
    createElement(
      Body,
      { className: 'paper', style: styles.paper },
      createElement(Preview, { useTitleTag: false, children: preview }),
      createElement(
        Container,
        { style: styles.column },
        createElement(Text, { className: 'quiet', style: styles.masthead }, appName),
        createElement(Heading, { as: 'h1', className: 'ink', style: styles.title }, title),
        ...parts.map(partHtml),
        createElement(Hr, { className: 'rule', style: styles.rule }),
        createElement(Text, { className: 'quiet', style: styles.aside }, aside),
      ),
    ),
  )
}

function partHtml(part: Part): ReactElement {
  switch (part.kind) {
    case 'text':
      return createElement(Text, { className: 'ink', style: styles.text }, part.text)
    case 'code':
      return createElement(Text, { className: 'ink code', style: styles.code }, part.code)
    case 'facts':
      return createElement(
        'table',
        { role: 'presentation', cellPadding: 0, cellSpacing: 0, style: styles.facts },
        createElement('tbody', null, ...part.facts.map(factHtml)),
      )
    case 'button':
      return createElement(
        Fragment,
        null,
        createElement(Button, { href: part.url, className: 'button', style: styles.button }, part.label),
        createElement(
          Text,
          { className: 'quiet', style: styles.address },
          'If the button does not work, open this address:',
          createElement('br'),
          createElement(Link, { href: part.url, className: 'link', style: styles.link }, part.url),
        ),
      )
  }
}

function factHtml({ label, value }: Fact): ReactElement {
  return createElement(
    'tr',
    null,
    createElement('td', { className: 'quiet rule', style: styles.factLabel }, label),
    createElement('td', { className: 'ink rule', style: styles.factValue }, value),
  )
}
