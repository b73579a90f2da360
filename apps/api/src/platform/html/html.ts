/** A piece of HTML, ready to send. Its private field keeps texts and other objects from passing for it. */
class Markup {
  readonly #source: string

  constructor(source: string) {
    this.#source = source
  }

  toString(): string {
    return this.#source
  }
}

/** HTML whose texts are escaped. Only {@link html} and {@link rawHtml} create it. */
export type Html = Markup

type Value = Html | string | number | null | undefined | false | readonly Value[]

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * Writes HTML around values. Texts and numbers are escaped, for elements and for attributes in quotes; HTML is inserted as it is;
 * the values of an array follow each other; null, undefined and false add nothing.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Markup(parts.map((part, index) => part + write(values[index])).join(''))
}

/** Marks HTML that was sanitized when it was stored, or our own styles and scripts. NOTE: It escapes nothing. */
export function rawHtml(source: string): Html {
  return new Markup(source)
}

/** Returns a value as the JSON of a script element. */
export function jsonHtml(value: unknown): Html {
  // `<` could end the element; JSON may escape it.
  return rawHtml(JSON.stringify(value).replaceAll('<', '\\u003c'))
}

function write(value: Value): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Markup) return value.toString()
  if (typeof value === 'object') return value.map(write).join('')
  return String(value).replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character)
}
