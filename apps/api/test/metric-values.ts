import type { Metrics } from '#platform/metrics.ts'

/** Returns a metric's values with their labels. */
export async function metricValues({ registry }: Metrics, name: string) {
  return (await registry.getSingleMetric(name)?.get())?.values ?? []
}
