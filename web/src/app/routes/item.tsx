import { useParams } from '@tanstack/react-router'
import { ItemPage as Item } from '@/features/item/item-page'

export function ItemPage() {
  const { itemId } = useParams({ from: '/item/$itemId' })
  return <Item key={itemId} id={itemId} />
}
