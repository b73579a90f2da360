import { z } from 'zod'
import type { EmailSite } from './email-site.ts'

/** A part of an email's body. Texts are plain; the HTML layout escapes them. */
export type Block =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'facts'; facts: [label: string, value: string][] }
  | { kind: 'button' | 'link'; label: string; url: string }

export type EmailContent = {
  subject: string
  /** The line that inboxes show beside the subject. */
  preview: string
  title: string
  body: Block[]
  /** The advice to a recipient who did not expect this email. */
  unexpected: string
}

/** An email's content with the parts that all emails share. */
export type EmailPage = EmailContent & { appName: string; language: string; contact: string; reason: string }

type Definition<Kind extends string, Shape extends z.ZodRawShape> = {
  kind: Kind
  /** Decides the reason in the footer. Billing emails are never rate limited. */
  group: 'account' | 'billing' | 'codes' | 'operator' | 'desk'
  /** The outbox stores this schema's input; `content` takes its output. */
  data: Shape
  content(data: z.output<z.ZodObject<Shape>>, site: EmailSite): EmailContent
  /** Returns whether the rate limit exempts this email; by default, that of every billing email. */
  isAboutPayment?(data: z.output<z.ZodObject<Shape>>): boolean
  /** Data for the preview page and the tests, by name. */
  samples: Readonly<Record<string, z.input<z.ZodObject<Shape>>>>
}

export type EmailDefinition = Omit<ReturnType<typeof defineEmail>, 'schema'>

/** Defines an email. Its functions parse the data, so that all definitions take what the outbox stores. */
export function defineEmail<const Kind extends string, Shape extends z.ZodRawShape>(
  definition: Definition<Kind, Shape>,
) {
  const { kind, group, content, isAboutPayment = () => group === 'billing', samples } = definition
  const schema = z.object(definition.data)
  return {
    kind,
    group,
    schema,
    samples: Object.entries<object>(samples),
    content: (data: unknown, site: EmailSite) => content(schema.parse(data), site),
    isAboutPayment: (data: unknown) => isAboutPayment(schema.parse(data)),
  }
}

export function text(content: string): Block {
  return { kind: 'text', text: content }
}

/** Returns a one-time code, large and selectable in one piece. */
export function code(digits: string): Block {
  return { kind: 'code', text: digits }
}

/** Returns labeled values, as on a receipt, without those that are empty. */
export function facts(values: Record<string, string | null>): Block {
  const lines = Object.entries(values).map(([label, value]): [string, string] => [label, value ?? ''])
  return { kind: 'facts', facts: lines.filter(([, value]) => value !== '') }
}

/** Returns a link as a button; the layout shows its URL too. */
export function button(label: string, url: string): Block {
  return { kind: 'button', label, url }
}

/** Returns a link in the text, below what matters more. */
export function link(label: string, url: string): Block {
  return { kind: 'link', label, url }
}
