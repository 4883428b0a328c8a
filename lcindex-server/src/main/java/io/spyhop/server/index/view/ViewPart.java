package io.spyhop.server.index.view;

import io.spyhop.core.protocol.RegionRequest;
import io.spyhop.core.protocol.RegionViews;
import io.spyhop.server.index.RegionContext;
import io.spyhop.server.index.RegionPart;
import io.spyhop.server.view.store.ViewStore;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;

/** The sorted views of a region, for the families that have the option. Thread-safe. */
public final class ViewPart implements RegionPart {
  private final RegionContext context;
  private volatile List<StoreView> stores = List.of();

  public ViewPart(RegionContext context) {
    this.context = context;
  }

  @Override
  public String loss() {
    return "scans read HFiles one by one until there is a new sorted view";
  }

  @Override
  public void opened() {
    HRegion region = context.region();
    ViewService service = context.service(ViewService.class);
    List<StoreView> made = new ArrayList<>();
    for (HStore store : region.getStores()) {
      if (store instanceof ViewStore views) {
        made.add(new StoreView(service, region, views));
      }
    }
    stores = List.copyOf(made);
    made.forEach(StoreView::open);
  }

  @Override
  public byte[] answer(RegionRequest request, Get get) {
    if (request.kind() != RegionRequest.Kind.VIEWS) {
      return null;
    }
    return new RegionViews(stores.stream().map(StoreView::state).toList()).encode();
  }

  @Override
  public void closing() {
    List<StoreView> open = stores;
    stores = List.of();
    open.forEach(StoreView::close);
  }

  @Override
  public void closed() {
    closing();
  }

  @Override
  public void flushed() {
    changed();
  }

  @Override
  public void loaded(boolean done) {
    changed();
  }

  @Override
  public void compacted(Store store, StoreFile result, CompactionRequest request) {
    changed();
  }

  private void changed() {
    stores.forEach(StoreView::changed);
  }

  @Override
  public String toString() {
    return context.region().toString();
  }
}
