import { build, type Plugin } from 'vite'

const entry = 'virtual:prosemirror'

// The element's own text becomes the document.
const source = `
  import { DOMParser, Schema } from 'prosemirror-model'
  import { EditorState } from 'prosemirror-state'
  import { EditorView } from 'prosemirror-view'

  const paragraph = { content: 'text*', parseDOM: [{ tag: 'p' }], toDOM: () => ['p', 0] }
  const schema = new Schema({ nodes: { doc: { content: 'paragraph+' }, paragraph, text: {} } })
  const place = document.querySelector('[role=textbox]')
  const doc = DOMParser.fromSchema(schema).parse(place)
  place.replaceChildren()
  new EditorView({ mount: place }, { state: EditorState.create({ doc }) })`

/** Returns a script that makes ProseMirror, with a schema of paragraphs and no plugin, edit the page's text box. */
export async function bundleProsemirror(): Promise<string> {
  const virtual: Plugin = {
    name: 'virtual-entry',
    resolveId: (id) => (id === entry ? import.meta.filename : null),
    load: (id) => (id === import.meta.filename ? source : null),
  }
  const results = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [virtual],
    build: { write: false, modulePreload: false, rolldownOptions: { input: entry } },
  })
  for (const result of [results].flat()) {
    if (!('output' in result)) continue
    for (const chunk of result.output) if (chunk.type === 'chunk') return chunk.code
  }
  throw new Error('The bundle of ProseMirror has no code.')
}
