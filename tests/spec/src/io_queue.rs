//! The I/O queue (section 3, Terminology).

use std::collections::VecDeque;

/// The result of a read from an I/O queue: an item of the queue's type, or end-of-queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item<T> {
    /// An item of the queue's type: a byte, a scalar value, a code unit.
    Value(T),
    /// The special item saying that no more items follow.
    EndOfQueue,
}

/// A list of items of one type, which may end with end-of-queue.
///
/// [`IoQueue::immediate`] of nothing is `« end-of-queue »`. [`IoQueue::new`] is `« »`, to which end-of-queue has not
/// been pushed yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IoQueue<T> {
    list: VecDeque<T>,
    /// True if end-of-queue follows the last item of `list`. It cannot be anywhere else.
    end_of_queue: bool,
}

impl<T: Copy> Default for IoQueue<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Copy> IoQueue<T> {
    /// The empty queue `« »`, without end-of-queue.
    pub fn new() -> Self {
        IoQueue {
            list: VecDeque::new(),
            end_of_queue: false,
        }
    }

    /// An immediate queue: these items, then end-of-queue ("convert to an I/O queue").
    pub fn immediate(items: &[T]) -> Self {
        IoQueue {
            list: items.iter().copied().collect(),
            end_of_queue: true,
        }
    }

    /// Reads an item.
    ///
    /// # Panics
    ///
    /// If the queue is empty and has no end-of-queue, where the Standard waits for ever.
    pub fn read(&mut self) -> Item<T> {
        // Step 1. If ioQueue is empty, then wait until its size is at least 1.
        // Step 2. If ioQueue[0] is end-of-queue, then return end-of-queue.
        // Step 3. Remove ioQueue[0] and return it.
        match self.list.pop_front() {
            Some(item) => Item::Value(item),
            None => {
                assert!(
                    self.end_of_queue,
                    "reading would wait for ever: the queue is empty and not ended"
                );
                Item::EndOfQueue
            }
        }
    }

    /// Reads up to `number` items. The result does not include end-of-queue.
    pub fn read_number(&mut self, number: usize) -> Vec<T> {
        // Step 1.
        let mut read_items = Vec::new();
        // Step 2.
        for _ in 0..number {
            // Step 3. Remove end-of-queue from readItems.
            if let Item::Value(item) = self.read() {
                read_items.push(item);
            }
        }
        // Step 4.
        read_items
    }

    /// Peeks up to `number` items, fewer if end-of-queue comes first.
    ///
    /// # Panics
    ///
    /// If there are too few items and no end-of-queue, where the Standard waits for ever.
    pub fn peek(&self, number: usize) -> Vec<T> {
        // Step 1. Wait until ioQueue's size is at least number, or it contains end-of-queue.
        assert!(
            self.list.len() >= number || self.end_of_queue,
            "peeking would wait for ever"
        );
        // Steps 2, 3, 4.
        self.list.iter().copied().take(number).collect()
    }

    /// Pushes an item (or end-of-queue).
    pub fn push(&mut self, item: Item<T>) {
        match item {
            // Step 1. If the last item in ioQueue is end-of-queue: if item is end-of-queue, do nothing; otherwise,
            // insert item before the last item. Step 2. Otherwise, append item to ioQueue.
            Item::Value(value) => self.list.push_back(value),
            Item::EndOfQueue => self.end_of_queue = true,
        }
    }

    /// Pushes a sequence of items, each in turn.
    pub fn push_all(&mut self, items: &[T]) {
        for &item in items {
            self.push(Item::Value(item));
        }
    }

    /// Restores an item other than end-of-queue: it will be read next.
    pub fn restore(&mut self, item: T) {
        self.list.push_front(item);
    }

    /// Restores a list of items, in the given order, so that its first will be read next.
    pub fn restore_all(&mut self, items: &[T]) {
        for &item in items.iter().rev() {
            self.restore(item);
        }
    }

    /// The number of items, not counting end-of-queue.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// True if the queue has no item other than end-of-queue.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Converts the queue into the list of its items, without end-of-queue.
    pub fn into_items(self) -> Vec<T> {
        self.list.into()
    }
}

impl IoQueue<char> {
    /// Converts a queue of scalar values into a string.
    pub fn into_string(self) -> String {
        self.list.into_iter().collect()
    }
}
