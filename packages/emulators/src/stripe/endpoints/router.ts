import type { Endpoint } from './endpoint.ts'

type Match = { endpoint: Endpoint; path: Record<string, string> }

type Route = { endpoint: Endpoint; steps: string[] }

/** Returns a function that finds the call of a method and a path below `/v1`. Literal paths come first. */
export function createRouter(
  endpoints: readonly Endpoint[],
): (method: string, path: string) => Match | undefined {
  const routes = endpoints
    .map((endpoint): Route => ({ endpoint, steps: endpoint.path.split('/') }))
    .sort((one, other) => partsOf(one) - partsOf(other))

  return (method, path) => {
    const steps = path.split('/')
    for (const route of routes) {
      if (route.endpoint.method !== method || route.steps.length !== steps.length) continue
      const filled = fill(route.steps, steps)
      if (filled) return { endpoint: route.endpoint, path: filled }
    }
    return undefined
  }
}

function partsOf({ steps }: Route) {
  return steps.filter((step) => step.startsWith(':')).length
}

function fill(pattern: readonly string[], steps: readonly string[]): Record<string, string> | undefined {
  const filled: Record<string, string> = {}
  for (const [index, wanted] of pattern.entries()) {
    const step = steps[index] ?? ''
    if (wanted.startsWith(':') && step !== '') filled[wanted.slice(1)] = decoded(step)
    else if (wanted !== step) return undefined
  }
  return filled
}

function decoded(step: string) {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}
