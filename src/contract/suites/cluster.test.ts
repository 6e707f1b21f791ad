import { expect, it } from 'vitest'
import { readCluster } from './cluster.ts'

it('takes the cluster that a case names, else the value of clusterBy in the case, its metadata or its vars', () => {
  expect(readCluster({ cluster: ' a ' }, 'template')).toBe('a')
  expect(readCluster({ template: 'b', metadata: { template: 'c' } } as object, 'template')).toBe('b')
  expect(readCluster({ metadata: { template: 3 } } as object, 'template')).toBe('3')
  expect(readCluster({ metadata: { template: 3 } } as object, 'metadata.template')).toBe('3')
  expect(readCluster({ vars: { topic: true } } as object, 'topic')).toBe('true')
})

it('leaves a case without one its own', () => {
  expect(readCluster({ metadata: { template: 3 } } as object)).toBeUndefined()
  expect(readCluster({ cluster: ' ', template: '' } as object, 'template')).toBeUndefined()
  expect(readCluster({ metadata: { tags: ['x'] } } as object, 'tags')).toBeUndefined()
  expect(readCluster({}, 'constructor')).toBeUndefined()
})
