import type { Block, EmailPage } from './define-email.ts'

/** Renders an email as plain text: paragraphs with a blank line between them, links on lines of their own. */
export function renderText({ appName, title, body, unexpected, contact, reason }: EmailPage): string {
  const footer = ['---', unexpected, `Questions? Write to ${contact}`, reason]
  return `${[appName, title, ...body.map(blockText), ...footer].join('\n\n')}\n`
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'text':
    case 'code':
      return block.text
    case 'facts':
      return block.facts.map(([label, value]) => `${label}: ${value}`).join('\n')
    case 'button':
    case 'link':
      return `${block.label}:\n${block.url.replace('mailto:', '')}`
  }
}
