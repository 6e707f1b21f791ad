import { afterAll, beforeAll, describe } from 'vitest'
import { describeArtifacts } from './testing/artifacts.contract.ts'
import { describeBudgets } from './testing/budgets.contract.ts'
import { describeClaims } from './testing/claims.contract.ts'
import { describeCells } from './testing/cells.contract.ts'
import { describeConversations } from './testing/conversations.contract.ts'
import { describeDocuments } from './testing/documents.contract.ts'
import { describeAccess } from './testing/access.contract.ts'
import { describeLabels } from './testing/labels.contract.ts'
import { describeRatings } from './testing/ratings.contract.ts'
import { describeReading } from './testing/reading.contract.ts'
import { describeRuns } from './testing/runs.contract.ts'
import { describeSearch } from './testing/search.contract.ts'
import { describeTexts } from './testing/texts.contract.ts'
import { describeWriting } from './testing/writing.contract.ts'
import { testedDrivers } from './testing/tested-drivers.ts'

/** Tests what src/contract/ports/storage.ts promises, for every driver on a real database. */
for (const driver of testedDrivers())
  describe(driver.name, () => {
    beforeAll(() => driver.start())
    afterAll(() => driver.stop())
    describeRuns(driver)
    describeLabels(driver)
    describeAccess(driver)
    describeCells(driver)
    describeConversations(driver)
    describeClaims(driver)
    describeBudgets(driver)
    describeTexts(driver)
    describeReading(driver)
    describeRatings(driver)
    describeSearch(driver)
    describeDocuments(driver)
    describeArtifacts(driver)
    describeWriting(driver)
  })
