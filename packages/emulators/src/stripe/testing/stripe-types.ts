import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { isWireObject } from '../protocol/wire-object.ts'

/** How deep below an object its fields are compared too. */
const depth = 2

/**
 * Compares objects with the types of Stripe's SDK, which describe the version of the API. Returns a function that names
 * the fields that a type has and its object lacks, and those that the type does not know.
 */
export function createTypeComparison(names: readonly string[]): (name: string, object: unknown) => string[] {
  const fileName = fileURLToPath(new URL('./compared-types.ts', import.meta.url))
  const text = [
    "import Stripe from 'stripe'",
    ...names.map((name, index) => `export declare const compared${index}: Stripe.${name}`),
  ].join('\n')
  const options = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    skipLibCheck: true,
    types: [],
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (path, ...rest) =>
    path === fileName ? ts.createSourceFile(path, text, rest[0]) : getSourceFile(path, ...rest)
  const program = ts.createProgram([fileName], options, host)
  const source = program.getSourceFile(fileName)
  const checker = program.getTypeChecker()
  const module = source && checker.getSymbolAtLocation(source)
  if (!source || !module) throw new Error('The types could not be read.')
  const file = source
  const types = new Map(
    checker
      .getExportsOfModule(module)
      .map((symbol, index) => [names[index], checker.getTypeOfSymbolAtLocation(symbol, file)]),
  )

  function differences(path: string, type: ts.Type, value: unknown, levels: number): string[] {
    const whole = checker.getNonNullableType(type)
    const objects = (whole.isUnion() ? whole.types : [whole]).filter(
      ({ flags }) => flags & ts.TypeFlags.Object,
    )
    const [first] = objects
    if (!first) return []
    if (Array.isArray(value)) {
      const entry = checker.getIndexTypeOfType(first, ts.IndexKind.Number)
      return entry && value.length > 0 ? differences(`${path}[]`, entry, value[0], levels) : []
    }
    const isMap = checker.getIndexTypeOfType(first, ts.IndexKind.String) !== undefined
    if (!isWireObject(value) || isMap) return []
    const fields = new Map(
      objects.flatMap((object) => checker.getPropertiesOfType(object)).map((field) => [field.name, field]),
    )
    const unknown = Object.keys(value).filter((name) => !fields.has(name))
    return [
      ...unknown.map((name) => `${path}.${name} is unknown`),
      ...[...fields].flatMap(([name, field]) => {
        if (name in value) {
          const inner = checker.getTypeOfSymbolAtLocation(field, file)
          return levels > 0 ? differences(`${path}.${name}`, inner, value[name], levels - 1) : []
        }
        const isOptional = (field.flags & ts.SymbolFlags.Optional) !== 0
        return isOptional ? [] : [`${path}.${name} is missing`]
      }),
    ]
  }

  return (name, object) => {
    const type = types.get(name)
    if (!type) throw new Error(`The SDK has no type ${name}.`)
    return differences(name, type, object, depth)
  }
}
