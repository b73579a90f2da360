import type { Letter, Part } from './letter.ts'

/** A letter as plain text: paragraphs with a blank line between them, addresses on lines of their own. */
export function letterText({ title, parts, aside }: Letter, appName: string): string {
  return `${[appName, title, ...parts.map(partText), '---', aside].join('\n\n')}\n`
}

function partText(part: Part): string {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'code':
      return part.code
    case 'facts':
      return part.facts.map(({ label, value }) => `${label}: ${value}`).join('\n')
    case 'button':
      return `${part.label}:\n${part.url}`
  }
}
