//! The tree: nodes in one list that is kept from search to search.

use ttr_engine::{BySeat, MAX_SEATS};

/// The index of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NodeId(u32);

impl NodeId {
    pub(crate) const ROOT: Self = Self(0);
    const NONE: Self = Self(u32::MAX);
}

/// The node of an action as the searching seat sees it, given its parent. Positions that differ only in
/// hidden cards or chance events share a node.
#[derive(Clone, Debug)]
pub(crate) struct Node<A> {
    /// `None` at the root.
    pub(crate) action: Option<A>,
    pub(crate) visits: u32,
    /// Number of visits to the parent in which the action was possible.
    pub(crate) available: u32,
    /// Sums over all visits.
    totals: [f64; MAX_SEATS],
    first_child: NodeId,
    next_sibling: NodeId,
}

impl<A> Node<A> {
    fn new(action: Option<A>) -> Self {
        let (first_child, next_sibling) = (NodeId::NONE, NodeId::NONE);
        Self { action, visits: 0, available: 0, totals: Default::default(), first_child, next_sibling }
    }

    /// A seat's mean value here; `otherwise` if there were no visits.
    pub(crate) fn value(&self, seat: usize, otherwise: f32) -> f32 {
        if self.visits == 0 { otherwise } else { (self.totals[seat] / f64::from(self.visits)) as f32 }
    }

    /// The same with `faith` virtual visits of the value `hope`: a few playouts carry little information.
    pub(crate) fn value_with_faith(&self, seat: usize, hope: f32, faith: f32) -> f32 {
        let known = self.visits as f32;
        if known + faith == 0.0 { hope } else { (self.totals[seat] as f32 + faith * hope) / (known + faith) }
    }
}

/// All nodes. Clearing the list keeps its memory.
#[derive(Debug)]
pub(crate) struct Tree<A> {
    nodes: Vec<Node<A>>,
}

impl<A: Copy + Eq> Tree<A> {
    pub(crate) fn new() -> Self {
        Self { nodes: vec![Node::new(None)] }
    }

    /// Removes all nodes but the root, and reserves room for this many others.
    pub(crate) fn clear(&mut self, room: usize) {
        self.nodes.clear();
        self.nodes.reserve(room + 1);
        self.nodes.push(Node::new(None));
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node<A> {
        &self.nodes[id.0 as usize]
    }

    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node<A> {
        &mut self.nodes[id.0 as usize]
    }

    pub(crate) fn child(&self, parent: NodeId, action: A) -> Option<NodeId> {
        self.children(parent).find(|&id| self.node(id).action == Some(action))
    }

    pub(crate) fn children(&self, parent: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let known = |id: NodeId| (id != NodeId::NONE).then_some(id);
        std::iter::successors(known(self.node(parent).first_child), move |&id| {
            known(self.node(id).next_sibling)
        })
    }

    pub(crate) fn add_child(&mut self, parent: NodeId, action: A) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let next_sibling = std::mem::replace(&mut self.node_mut(parent).first_child, id);
        self.nodes.push(Node { next_sibling, ..Node::new(Some(action)) });
        id
    }

    /// Records the result of a playout through this node.
    pub(crate) fn record(&mut self, id: NodeId, values: &BySeat<f32>) {
        let node = self.node_mut(id);
        node.visits += 1;
        for (total, value) in node.totals.iter_mut().zip(values) {
            *total += f64::from(*value);
        }
    }

    /// The most visited child.
    pub(crate) fn favourite(&self, parent: NodeId) -> Option<NodeId> {
        self.children(parent).max_by_key(|&id| self.node(id).visits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_found_again() {
        let mut tree = Tree::new();
        let a = tree.add_child(NodeId::ROOT, 'a');
        let b = tree.add_child(NodeId::ROOT, 'b');
        let c = tree.add_child(a, 'c');
        assert_eq!(tree.child(NodeId::ROOT, 'b'), Some(b));
        assert_eq!(tree.child(NodeId::ROOT, 'c'), None);
        assert_eq!(tree.children(a).collect::<Vec<_>>(), [c]);
        for values in [[1.0, 0.0], [0.0, 1.0]] {
            tree.record(b, &values.into_iter().collect());
        }
        assert_eq!((tree.node(b).value(0, 9.0), tree.node(a).value(0, 9.0)), (0.5, 9.0));
        assert_eq!(tree.favourite(NodeId::ROOT), Some(b));
        tree.clear(8);
        assert_eq!(tree.favourite(NodeId::ROOT), None);
    }
}
